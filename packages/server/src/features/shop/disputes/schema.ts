import { type Static, Type } from 'typebox'
import { pageOf } from '../../../platform/http/paging.ts'
import { Nullable, OneOf, ReasonText, Timestamp } from '../../../platform/http/schemas.ts'
import { EmojiIdText } from '../../directory/emoji-ids/index.ts'
import { DisplayUser } from '../../identity/accounts/index.ts'
import { DisputeStatus } from '../ledger/index.ts'

const Uuid = Type.String({ format: 'uuid' })

const DisputeView = Type.Object({
  id: Uuid,
  reference: Type.String({ description: 'What the card provider calls it' }),
  order_id: Uuid,
  order_number: Type.String(),
  user: DisplayUser,
  amount_in_cents: Type.Integer(),
  reason: Type.String({ description: 'The word of the buyer’s bank' }),
  status: DisputeStatus,
  awaits_decision: Type.Boolean({
    description: 'It is lost, and an operator decides about what could not be taken back by itself',
  }),
  opened_at: Timestamp,
  answer_until: Nullable(
    Type.Unsafe<Date>({ ...Timestamp, description: 'When the bank expects evidence' }),
  ),
  closed_at: Nullable(Timestamp),
  decision: Nullable(OneOf(['taken_back', 'left'] as const)),
  decision_reason: Nullable(Type.String()),
  decided_at: Nullable(Timestamp),
  decided_by: Nullable(Uuid),
  decided_by_user: Nullable(DisplayUser),
})
export type DisputeView = Static<typeof DisputeView>

const places = ['buyer', 'somebody', 'organization', 'nobody'] as const

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
    description: 'Who has it now: the buyer, another user, an organization, or a key of nobody',
  }),
  owner: Nullable(DisplayUser),
  organization: Nullable(Type.Object({ id: Uuid, name: Type.String() })),
  handed_on: Type.Array(HandedOn, {
    description: 'How it changed hands since the order was paid, the first time first',
  }),
  frozen: Type.Boolean(),
  minted: Type.Boolean(),
  signed_until: Nullable(
    Type.Unsafe<Date>({ ...Timestamp, description: 'Until when somebody may mint it' }),
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
    description: 'What was bought with the order, by itself or in boxes, and is still somebody’s',
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
      description: 'Absent: everything of the order that is frozen, lootboxes too',
    }),
  ),
})
export type Decision = Static<typeof Decision>
