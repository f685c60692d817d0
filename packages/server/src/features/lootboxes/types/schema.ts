import { MAX_EMOJIS } from '@emojid/core'
import { type Static, Type } from 'typebox'
import {
  Nullable,
  OptionalReason,
  ShownName,
  Timestamp,
  withoutHidden,
} from '../../../platform/http/schemas.ts'

/** A box is opened in one transaction. */
const idsAtMost = 20
const rangesAtMost = 10

const Length = Type.Integer({ minimum: 1, maximum: MAX_EMOJIS })
const Score = Type.Integer({ minimum: 1, maximum: 100 })
const range = { min_score: Score, max_score: Score }

const Config = Type.Object({
  size: Type.Integer({ minimum: 1, maximum: idsAtMost, description: 'How many ids a box has' }),
  min_length: Length,
  max_length: Length,
  min_base_score: Score,
  max_base_score: Score,
  guarantees: Type.Array(
    Type.Object({ count: Type.Integer({ minimum: 1, maximum: idsAtMost }), ...range }),
    { maxItems: rangesAtMost, description: 'So many ids of these scores are in every box' },
  ),
  weights: Type.Array(
    Type.Object({
      ipr: Type.Number({ minimum: 1, maximum: 1e9, description: '1:n chance of a slot' }),
      ...range,
    }),
    { maxItems: rangesAtMost, description: 'Tried rarest first in the slots that are left' },
  ),
})

const Price = Type.Integer({ minimum: 50, maximum: 100_000_000 })

export const NewLootboxType = Type.Object({
  name: ShownName,
  description: Type.String({ pattern: withoutHidden, maxLength: 2_000 }),
  config: Config,
  price_in_cents: Type.Optional(
    Type.Unsafe<number>({ ...Price, description: 'For how much its boxes are sold, if they are' }),
  ),
  reason: OptionalReason,
})
export type NewLootboxType = Static<typeof NewLootboxType>

export const LootboxTypeView = Type.Object({
  id: Type.String({ format: 'uuid' }),
  created_at: Timestamp,
  name: Type.String(),
  description: Type.String(),
  config: Config,
  price_in_cents: Nullable(Type.Integer()),
  exhausted_at: Nullable(
    Type.Unsafe<Date>({ ...Timestamp, description: 'Since when no more boxes are drawn by it' }),
  ),
  odds: Type.Object({
    slots: Type.Integer({ description: 'Slots that chance decides; the others are guaranteed' }),
    ranges: Type.Array(
      Type.Object({
        ...range,
        probability: Type.Number({
          description: 'That a slot which chance decides is drawn for these scores',
        }),
        at_least_one: Type.Number({
          description:
            'That a box has at least one slot drawn for these scores, or guaranteed to lie within them',
        }),
      }),
    ),
  }),
})
export type LootboxTypeView = Static<typeof LootboxTypeView>
export const LootboxTypeList = Type.Array(LootboxTypeView)
