import { Type } from 'typebox'
import { Nullable } from '../../../platform/http/schemas.ts'

const PaymentMethod = Type.Object({
  id: Type.String(),
  payment_type: Type.String(),
  brand: Nullable(Type.String()),
  country: Nullable(Type.String()),
  last4: Nullable(Type.String()),
  exp_month: Nullable(Type.Integer()),
  exp_year: Nullable(Type.Integer()),
  is_default: Type.Optional(
    Type.Boolean({
      description:
        'The card that the owner chose, or the only one; at most one card is the default',
    }),
  ),
})
export const PaymentMethodList = Type.Array(PaymentMethod)
export const OnePaymentMethod = PaymentMethod
export const PaymentMethodParams = Type.Object({ id: Type.String({ maxLength: 255 }) })
