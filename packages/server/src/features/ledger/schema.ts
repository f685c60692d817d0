import { Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../platform/http/schemas.ts'

export const RefundView = Type.Object({
  id: Type.String({ format: 'uuid' }),
  order_id: Type.String({ format: 'uuid' }),
  amount_in_cents: Type.Integer(),
  kind: OneOf(['refund', 'misc_refund']),
  status: Type.String({
    enum: ['queued', 'done', 'by_hand'],
    description: 'by_hand: the money was not paid through a provider, so a person gives it back',
  }),
  reason: Type.String(),
  created_at: Timestamp,
  done_at: Nullable(Timestamp),
})
