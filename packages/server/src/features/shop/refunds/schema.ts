import { type Static, Type } from 'typebox'
import { ReasonText } from '../../../platform/http/schemas.ts'
import { RefundView } from '../ledger/ledger.ts'

/** A misspelled member must not be dropped: without `item_ids` everything would be refunded. */
const strict = { additionalProperties: false }

export const Refund = Type.Object(
  {
    reason: ReasonText,
    item_ids: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        minItems: 1,
        maxItems: 100,
        description: 'Default: every id of the order',
      }),
    ),
    override: Type.Optional(
      Type.Boolean({
        description:
          'Needs order:refundOverride: also refunds after 14 days, and ids that were transferred',
      }),
    ),
  },
  strict,
)
export type Refund = Static<typeof Refund>

export const MiscRefund = Type.Object(
  {
    amount_in_cents: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    reason: ReasonText,
  },
  strict,
)
export type MiscRefund = Static<typeof MiscRefund>

export const Override = Type.Object({ reason: ReasonText }, strict)
export const Given = Type.Object(
  {
    reference: Type.String({
      pattern: '\\S',
      minLength: 3,
      maxLength: 200,
      description: 'Reference of the payment: a receipt, a transaction or a bank statement',
    }),
  },
  strict,
)
export const RefundParams = Type.Object({ id: Type.String({ format: 'uuid' }) })
export const RefundListQuery = Type.Object({
  claims: Type.Optional(
    Type.Boolean({
      description: 'The buyer requires the claim links: refused without a fresh proof',
    }),
  ),
})
export const RefundList = Type.Array(RefundView)
export const Decline = Type.Object({ reason: ReasonText }, strict)
export const RefundRequest = Type.Object({
  reason: Type.String({ pattern: '\\S', maxLength: 1_000 }),
})
