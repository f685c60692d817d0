import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp, Withheld } from '../../../platform/http/api/schemas.ts'
import { ReportView } from '../../directory/abuse-reports/abuse-reports.ts'
import { EmojiIdText, readEmojiId } from '../../directory/emoji-ids/emoji-ids.ts'
import { callerOf } from '../../operations/access/access.ts'
import { AuditEntry } from '../../operations/audit/audit.ts'
import type { IdOverviews } from './id-overviews.ts'
import { type IdState, newest, states } from './rules.ts'

const Uuid = Type.String({ format: 'uuid' })

const OverviewParams = Type.Object({ emoji_id: EmojiIdText })

const Registration = Type.Object(
  {
    created_at: Timestamp,
    bought_at: Nullable(Timestamp),
    order_id: Nullable(Uuid),
    minted: Type.Boolean(),
    token_id: Nullable(Type.Integer()),
    blocked_until: Nullable(Timestamp),
    signed_until: Nullable(Timestamp),
    frozen_at: Nullable(Timestamp),
    suspended_at: Nullable(Timestamp),
    suspension_reason: Nullable(Type.String()),
  },
  { description: 'Null if the id has no owner' },
)

const Owner = Type.Object({
  pubkey: Nullable(Type.String()),
  user: Nullable(
    Type.Object({
      id: Uuid,
      email: Nullable(Type.String()),
      first_name: Nullable(Type.String()),
      last_name: Nullable(Type.String()),
      role: Type.String(),
      deactivated_at: Nullable(Timestamp),
    }),
  ),
  organization: Nullable(Type.Object({ id: Uuid, name: Type.String() })),
})

const OrderOfId = Type.Object({
  id: Uuid,
  order_number: Type.String(),
  status: OneOf(['Cancelled', 'Draft', 'Paid', 'PendingPayment'] as const),
  user_id: Uuid,
  email: Nullable(Type.String()),
  price_in_cents: Nullable(
    Type.Integer({ description: 'The price of the id with fees; null if a lootbox had it' }),
  ),
  refunded: Type.Boolean({ description: 'Whether this id was refunded' }),
  created_at: Timestamp,
  paid_at: Nullable(Timestamp),
})

const TransferOfId = Type.Object({
  id: Uuid,
  status: OneOf(['awaiting_sender', 'awaiting_receiver', 'accepted', 'closed'] as const),
  sender_id: Uuid,
  sender_email: Nullable(Type.String()),
  recipient_id: Nullable(Uuid),
  recipient_email: Nullable(Type.String()),
  clear_on_transfer: Type.Boolean(),
  created_at: Timestamp,
  accepted_at: Nullable(Timestamp),
  deleted_at: Nullable(Timestamp),
})

const listOptions = (scope: string) => ({
  description: `The newest ${newest}, newest first. Absent without ${scope}`,
})

const IdOverview = Type.Object({
  emoji_id: Type.String({ description: 'Canonical format' }),
  display_format: Type.String(),
  shortname: Type.String(),
  rhythm_score: Type.Integer(),
  price_in_cents: Nullable(
    Type.Integer({
      description: 'The current price, whether or not the id has an owner; null if it is reserved',
    }),
  ),
  state: Type.Unsafe<IdState>({
    ...OneOf(states),
    description:
      'owned: it has an owner; held: a checkout holds it; reserved: it cannot be bought for now',
  }),
  registration: Nullable(Registration),
  hold: Nullable(Type.Object({ order_id: Uuid, expires_at: Timestamp })),
  reservation: Nullable(
    Type.Object({
      reason: Type.String({ description: 'cooling: after a refund; lootbox: a box has it' }),
      lootbox_id: Nullable(Uuid),
      until: Nullable(Timestamp),
    }),
  ),
  listed: Nullable(
    Type.Object(
      { pattern: Type.String(), reason: Type.String(), reserved_at: Timestamp },
      { description: 'The entry of the reserved list that has the id, exactly or by a pattern' },
    ),
  ),
  locked_keys: Type.Array(Type.String(), {
    description: 'The store entries that an operator locked',
  }),
  reports: Type.Array(ReportView, {
    description: `The newest ${newest} reports of abuse, newest first`,
  }),
  owner: Type.Optional(
    Type.Unsafe<Static<typeof Owner> | null>({
      ...Nullable(Owner),
      description: 'Null if the id has no owner. Absent without user:show',
    }),
  ),
  orders: Type.Optional(Type.Array(OrderOfId, listOptions('order:read'))),
  transfers: Type.Optional(Type.Array(TransferOfId, listOptions('adminEmoji:transfer'))),
  history: Type.Optional(Type.Array(AuditEntry, listOptions('domainEvent:read'))),
  withheld: Withheld,
})

type Options = { idOverviews: IdOverviews }

export const idOverviewRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { idOverviews },
) => {
  app.get('/admin/emoji_ids/:emoji_id', {
    config: {
      access: 'adminEmoji:load',
      more_scopes: ['user:show', 'order:read', 'adminEmoji:transfer', 'domainEvent:read'],
    },
    schema: {
      operationId: 'showIdOverview',
      tags: ['Operators'],
      summary: 'Show an id with its owner, reports, orders, transfers and history',
      description: 'Also for ids without an owner. Parts without their scope are absent.',
      params: OverviewParams,
      response: { 200: IdOverview },
    },
    handler: async (request) =>
      idOverviews.showOverview(callerOf(request), readEmojiId(request.params.emoji_id)),
  })
}
