import { type Static, Type } from 'typebox'
import { pageOf } from '../../../platform/http/api/paging.ts'
import { Nullable, OneOf, ReasonText, Timestamp } from '../../../platform/http/api/schemas.ts'
import { EmojiIdText } from '../../directory/emoji-ids/emoji-ids.ts'
import { DisplayUser } from '../../identity/accounts/accounts.ts'
import { DisputeStatus } from '../ledger/ledger.ts'

const Uuid = Type.String({ format: 'uuid' })

const DisputeView = Type.Object({
  id: Uuid,
  reference: Type.String({ description: 'Reference of the card provider' }),
  order_id: Uuid,
  order_number: Type.String(),
  user: DisplayUser,
  amount_in_cents: Type.Integer(),
  reason: Type.String({ description: 'The reason of the buyer’s bank' }),
  status: DisputeStatus,
  awaits_decision: Type.Boolean({
    description:
      'It is lost, and an operator has to decide about ids that could not be revoked automatically',
  }),
  opened_at: Timestamp,
  answer_until: Nullable(
    Type.Unsafe<Date>({ ...Timestamp, description: 'Deadline of the bank for evidence' }),
  ),
  closed_at: Nullable(Timestamp),
  decision: Nullable(OneOf(['taken_back', 'left'] as const)),
  decision_reason: Nullable(Type.String()),
  decided_at: Nullable(Timestamp),
  decided_by: Nullable(Uuid),
  decided_by_user: Nullable(DisplayUser),
})
export type DisputeView = Static<typeof DisputeView>

const places = ['buyer', 'other_account', 'organization', 'unowned'] as const

const HandedOn = Type.Object({
  at: Timestamp,
  from: Nullable(DisplayUser),
  to: Nullable(DisplayUser),
})
const DisputedId = Type.Object({
  emoji_id: Type.String({ description: 'Canonical format' }),
  display_format: Type.String(),
  place: Type.Unsafe<(typeof places)[number]>({
    ...OneOf(places),
    description:
      'The current owner: the buyer, another user, an organization, or a key without an account',
  }),
  owner: Nullable(DisplayUser),
  organization: Nullable(Type.Object({ id: Uuid, name: Type.String() })),
  handed_on: Type.Array(HandedOn, {
    description: 'Transfers since the order was paid, oldest first',
  }),
  frozen: Type.Boolean(),
  minted: Type.Boolean(),
  signed_until: Nullable(
    Type.Unsafe<Date>({ ...Timestamp, description: 'Until when a mint signature is valid' }),
  ),
})
const DisputedBox = Type.Object({
  id: Uuid,
  status: Type.String(),
  frozen: Type.Boolean(),
})

export const DisputeFacts = Type.Object({
  ...DisputeView.properties,
  ids: Type.Array(DisputedId, {
    description: 'Ids of the order that still have an owner, bought directly or in boxes',
  }),
  lootboxes: Type.Array(DisputedBox),
})
export type DisputeFacts = Static<typeof DisputeFacts>

export const DisputePage = pageOf(DisputeView)
export const DisputeParams = Type.Object({ id: Uuid })
export const Decision = Type.Object({
  reason: ReasonText,
  emoji_ids: Type.Optional(
    Type.Array(EmojiIdText, {
      minItems: 1,
      maxItems: 1_000,
      description: 'Default: everything of the order that is frozen, including lootboxes',
    }),
  ),
})
export type Decision = Static<typeof Decision>
