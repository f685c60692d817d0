import { lootboxLimits, lootboxStatuses, textLengths } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { pagingQuery } from '../../platform/http/api/paging.ts'
import {
  Nullable,
  OneOf,
  OptionalReason,
  SearchText,
  ShownName,
  Timestamp,
  withoutHidden,
} from '../../platform/http/api/schemas.ts'
import { IdLength } from '../directory/emoji-ids/emoji-ids.ts'
import { DisplayUser } from '../identity/accounts/accounts.ts'

export type Status = (typeof lootboxStatuses)[number]

const Uuid = Type.String({ format: 'uuid' })
const Hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
const Score = Type.Integer({ minimum: 1, maximum: 100 })
const range = { min_score: Score, max_score: Score }

const Config = Type.Object({
  size: Type.Integer({
    minimum: 1,
    maximum: lootboxLimits.ids,
    description: 'How many ids a box has',
  }),
  min_length: IdLength,
  max_length: IdLength,
  min_base_score: Score,
  max_base_score: Score,
  guarantees: Type.Array(
    Type.Object({ count: Type.Integer({ minimum: 1, maximum: lootboxLimits.ids }), ...range }),
    {
      maxItems: lootboxLimits.ranges,
      description: 'The number of ids with these scores in every box',
    },
  ),
  weights: Type.Array(
    Type.Object({
      ipr: Type.Number({ minimum: 1, maximum: 1e9, description: '1:n chance of a slot' }),
      ...range,
    }),
    { maxItems: lootboxLimits.ranges, description: 'Tried rarest first in the remaining slots' },
  ),
})

const Price = Type.Integer({ minimum: 50, maximum: 100_000_000 })

export const NewLootboxType = Type.Object({
  name: ShownName,
  description: Type.String({ pattern: withoutHidden, ...textLengths.lootboxDescription }),
  config: Config,
  price_in_cents: Type.Optional(
    Type.Unsafe<number>({ ...Price, description: 'The price of its boxes, if they are for sale' }),
  ),
  reason: OptionalReason,
})
export type NewLootboxType = Static<typeof NewLootboxType>

export const LootboxTypeView = Type.Object({
  id: Uuid,
  created_at: Timestamp,
  name: Type.String(),
  description: Type.String(),
  config: Config,
  price_in_cents: Nullable(Type.Integer()),
  exhausted_at: Nullable(
    Type.Unsafe<Date>({ ...Timestamp, description: 'Since when it draws no more boxes' }),
  ),
  odds: Type.Object({
    slots: Type.Integer({ description: 'Slots filled by chance; the others are guaranteed' }),
    ranges: Type.Array(
      Type.Object({
        ...range,
        probability: Type.Number({
          description: 'The chance that a slot filled by chance is drawn for these scores',
        }),
        at_least_one: Type.Number({
          description:
            'The chance that a box has at least one slot drawn for these scores, or guaranteed to lie within them',
        }),
      }),
    ),
  }),
})
export type LootboxTypeView = Static<typeof LootboxTypeView>
export const LootboxTypeList = Type.Array(LootboxTypeView)

const Yats = Type.Array(Type.String({ description: 'An emoji id in any spelling' }), {
  minItems: 1,
  maxItems: lootboxLimits.ids,
})
const owner = {
  owner_email: Type.Optional(
    Type.String({
      description:
        'Not together with owner_id. Without an account that confirmed it, the address itself owns the box: owner_id is null until then, and Used is refused',
    }),
  ),
  owner_id: Type.Optional(Uuid),
}

export const NewLootbox = Type.Object({
  status: OneOf(lootboxStatuses),
  yats: Yats,
  ...owner,
  reason: OptionalReason,
})
export type NewLootbox = Static<typeof NewLootbox>

export const LootboxChange = Type.Object({
  status: Type.Optional(
    Type.Unsafe<(typeof lootboxStatuses)[number]>({
      ...OneOf(lootboxStatuses),
      description: 'Needed with an owner: the box becomes Owned, or is opened for them (Used)',
    }),
  ),
  yats: Type.Optional(Yats),
  ...owner,
  reason: OptionalReason,
})
export type LootboxChange = Static<typeof LootboxChange>

export const LootboxView = Type.Object({
  id: Uuid,
  created_at: Timestamp,
  status: OneOf(lootboxStatuses),
  average_rhythm_score: Type.Number(),
  total_value: Type.Number({ description: 'US cents when the box was filled' }),
  prices: Type.Array(Type.Integer()),
  scores: Type.Array(Type.Integer()),
  yats: Type.Array(Type.String(), { description: 'Empty for owners until the box is opened' }),
  lootbox_type: Nullable(LootboxTypeView),
  lootbox_type_id: Nullable(Uuid),
  owner: Nullable(DisplayUser),
  owner_id: Type.Unsafe<string | null>({
    ...Nullable(Uuid),
    description:
      'Null until an account confirms the address that an operator named as the owner (owner_email)',
  }),
  owner_email: Type.Optional(
    Nullable(
      Type.String({ description: 'For operators: the email address whose account will own it' }),
    ),
  ),
  seed_hash: Hash('SHA-256 of the seed of the box'),
  withheld: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'The members that stay secret until the box is opened: empty or 0, whatever the box holds',
    }),
  ),
})
export type LootboxView = Static<typeof LootboxView>

export const LootboxQuery = Type.Object({
  ...pagingQuery(['created_at', 'updated_at'], { sort: 'created_at', dir: 'Desc' }).properties,
  owner_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Boxes of other users: for operators' }),
  ),
  status: Type.Optional(OneOf(lootboxStatuses)),
  lootbox_type_id: Type.Optional(Uuid),
  q: SearchText(
    'For operators: part of the id or seed hash of a box, or of the email address of an owner',
  ),
})
export type LootboxQuery = Static<typeof LootboxQuery>
export const LootboxParams = Type.Object({ id: Uuid })

export const GenerationRequest = Type.Object({
  loot_box_type_id: Uuid,
  num_boxes: Type.Integer({ minimum: 1, maximum: 100 }),
  reason: OptionalReason,
})
export type GenerationRequest = Static<typeof GenerationRequest>

export const LootboxSet = Type.Object({
  loot_boxes: Type.Array(LootboxView, {
    description: 'Fewer than requested if time or ids ran out',
  }),
  num_requested: Type.Integer(),
})

const Recipe = Type.Object({
  algorithm: Type.Integer({ description: 'Version of drawing and sealing' }),
  config: LootboxTypeView.properties.config,
  emojis: Type.Array(Type.String(), { description: 'The set of ids that the draw uses' }),
})

export const LootboxProof = Type.Object({
  id: Uuid,
  status: LootboxView.properties.status,
  created_at: Timestamp,
  lootbox_type_id: Nullable(Uuid),
  discarded_boxes: Nullable(
    Type.Integer({
      description:
        'Boxes of its type that operators deleted unopened; null for a box filled by hand',
    }),
  ),
  boxes_of_type: Nullable(
    Type.Object(
      {
        offered: Type.Integer({ description: 'Released and without an owner' }),
        sold: Type.Integer({ description: 'Bought with an order, opened or not' }),
        given: Type.Integer({ description: 'Given to an owner by operators, opened or not' }),
        withheld: Type.Integer({ description: 'Drawn, but still a Draft that is not for sale' }),
        discarded: Type.Integer({ description: 'Deleted unopened by operators' }),
      },
      {
        description:
          'All boxes drawn for its type, by what became of them at most ten seconds ago; null for a box filled by hand',
      },
    ),
  ),
  alphabet_version: Type.Integer({ description: 'Of the alphabet and the scores' }),
  recipe: Nullable(Recipe),
  seed_hash: Hash('SHA-256 of the 32 bytes of the seed'),
  contents_hash: Hash(
    'SHA-256 of the JSON [seed, emoji_ids, [emoji_id, reason] of all rejected]; since algorithm 2 with a hash of the recipe as a fourth member (docs/lootboxes.md)',
  ),
  seed: Nullable(Type.String({ description: 'In hex; null until the box is opened' })),
  rejected: Nullable(
    Type.Array(Type.Object({ emoji_id: Type.String(), reason: Type.String() }), {
      description: 'Drawn ids that were not available, in order; null until then',
    }),
  ),
  emoji_ids: Nullable(
    Type.Array(Type.String(), {
      description: 'Its ids in canonical format; null until then',
    }),
  ),
  recomputes: Nullable(
    Type.Boolean({
      description:
        'Whether both hashes match and drawing again leads to the same ids (a box filled by hand has only the hashes); null until then',
    }),
  ),
})
export type LootboxProof = Static<typeof LootboxProof>
