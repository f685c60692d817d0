import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/paging.ts'
import { Nullable, Timestamp } from '../../../platform/http/schemas.ts'

const Uuid = Type.String({ format: 'uuid' })

export const Params = Type.Object({ id: Uuid })

export const Books = Type.Object({
  entries: Type.Array(
    Type.Object({
      id: Type.Integer(),
      kind: Type.String({
        enum: ['payment', 'cash', 'override', 'write_off', 'refund', 'misc_refund', 'dispute'],
      }),
      amount_in_cents: Type.Integer({ description: 'Negative: owed back' }),
      provider: Type.String(),
      reference: Type.String({ description: 'Where it is found at the provider' }),
      reason: Nullable(Type.String()),
      actor_id: Nullable(Uuid),
      actor_email: Nullable(Type.String()),
      created_at: Timestamp,
    }),
  ),
  attempts: Type.Array(
    Type.Object({
      id: Uuid,
      round: Type.Integer({ description: 'Which checkout of the order it belongs to' }),
      method: Type.String(),
      provider: Type.String(),
      reference: Nullable(Type.String()),
      amount_in_cents: Type.Integer(),
      status: Type.String({ enum: ['open', 'closed'] }),
      late_order_id: Nullable(Uuid),
      seen_at: Nullable(Timestamp),
      expires_at: Timestamp,
      created_at: Timestamp,
    }),
  ),
})

const CodeUse = Type.Object({
  order_id: Uuid,
  order_number: Type.String(),
  order_status: Type.String(),
  user_id: Uuid,
  email: Nullable(Type.String()),
  emoji_ids: Type.Array(Type.String(), { description: 'Those that it took something off' }),
  created_at: Timestamp,
  counted_at: Nullable(Timestamp),
})
export const UsePage = pageOf(CodeUse)
export const UseQuery = pagingQuery(['created_at'], { sort: 'created_at', dir: 'Desc' })
export type UseQuery = Static<typeof UseQuery>
