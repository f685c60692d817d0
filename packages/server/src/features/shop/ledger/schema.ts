import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/api/paging.ts'
import { Nullable, OneOf, Timestamp } from '../../../platform/http/api/schemas.ts'

const statuses = ['queued', 'done', 'by_hand'] as const

export const RefundView = Type.Object({
  id: Type.String({ format: 'uuid' }),
  order_id: Type.String({ format: 'uuid' }),
  amount_in_cents: Type.Integer(),
  by_bank_in_cents: Type.Optional(
    Type.Integer({
      description: 'The part that the buyer’s bank paid by a lost dispute; only the rest is sent',
    }),
  ),
  kind: OneOf(['refund', 'misc_refund']),
  status: Type.String({
    enum: [...statuses],
    description: 'by_hand: the provider cannot send it, so an operator pays it',
  }),
  reason: Type.Optional(Type.String({ description: 'For operators' })),
  claim_url: Nullable(
    Type.String({
      description:
        'Where the buyer enters the address for the money. Only the buyer sees it, after a recent sign-in or a fresh code, and no API key',
    }),
  ),
  claim_from: Type.Optional(
    Type.Unsafe<Date>({
      ...Timestamp,
      description:
        'The email address of the buyer was changed recently: the claim link is shown from then on',
    }),
  ),
  has_claim: Type.Boolean({ description: 'The buyer has to claim the money' }),
  created_at: Timestamp,
  done_at: Nullable(Timestamp),
  paid_out_at: Type.Optional(
    Nullable(
      Type.Unsafe<Date>({
        ...Timestamp,
        description: 'When the money was paid out; for a claimed refund, when the claim was paid',
      }),
    ),
  ),
})

const disputeStatuses = ['open', 'won', 'lost'] as const
export const DisputeQuery = Type.Object({
  ...pagingQuery(['created_at'], { sort: 'created_at', dir: 'Desc' }).properties,
  status: Type.Optional(Type.Unsafe<(typeof disputeStatuses)[number]>(OneOf(disputeStatuses))),
  awaits_decision: Type.Optional(
    Type.Boolean({ description: 'Only refunds that wait for an operator, or only the others' }),
  ),
})
export type DisputeQuery = Static<typeof DisputeQuery>
export const DisputeStatus = Type.Unsafe<(typeof disputeStatuses)[number]>({
  ...OneOf(disputeStatuses),
  description: 'won: the shop keeps the money; lost: the bank returned it to the buyer',
})

export const RefundPage = pageOf(RefundView)
export const RefundQuery = Type.Object({
  ...pagingQuery(['created_at'], { sort: 'created_at', dir: 'Asc' }).properties,
  status: Type.Optional(Type.Unsafe<(typeof statuses)[number]>(OneOf(statuses))),
})
export type RefundQuery = Static<typeof RefundQuery>
