import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../../../platform/http/schemas.ts'

/** The payment details for the buyer. */
export const PaymentMethodData = Type.Object({
  method: OneOf(['CryptoCommerce', 'CardCheckout']),
  methods: Type.Array(
    Type.Object({
      address: Type.String(),
      amount: Type.Number(),
      currency: Type.String(),
      title: Type.String(),
    }),
  ),
  client_secret: Type.String(),
  payment_intent_id: Type.String(),
  cancel_url: Nullable(Type.String()),
  success_url: Nullable(Type.String()),
  invoice_id: Nullable(Type.String()),
  session_id: Nullable(Type.String()),
  checkout_url: Type.Optional(
    Nullable(Type.String({ description: 'The payment page; absent once the order is paid' })),
  ),
})
export type PaymentMethodData = Static<typeof PaymentMethodData>

export const WebhookParams = Type.Object({ provider: OneOf(['card', 'crypto']) })
export const Received = Type.Object({ received: Type.Boolean() })
