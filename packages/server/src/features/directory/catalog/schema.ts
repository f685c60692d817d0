import { type Static, Type } from 'typebox'
import { Nullable, OneOf, ReasonText, Timestamp } from '../../../platform/http/schemas.ts'
import { EmojiIdText, Shape } from '../emoji-ids/emoji-ids.ts'
import { Metric } from '../stats/stats.ts'

const availabilities = ['Available', 'Taken', 'InCart', 'ComingSoon', 'NoPrice'] as const
export type Availability = (typeof availabilities)[number]

const Item = Type.Object({
  emoji_id: Type.String({ description: 'Canonical format' }),
  available: Type.Boolean(),
  availability: OneOf(availabilities),
  price: Nullable(
    Type.Integer({ description: 'US cents; 0 when it is not available, null when it is reserved' }),
  ),
  length: Type.Integer(),
  rhythm_score: Type.Integer(),
  shape: Shape,
  short_names: Type.Array(Type.String()),
  flippable_emoji: Type.Array(Type.Boolean()),
  minted: Type.Boolean(),
  generation: Nullable(Type.Integer()),
  origin: Nullable(
    Type.String({
      description:
        'How a registered id came into the directory: Purchase, LootBox or Grant. Null for other ids',
    }),
  ),
  stats: Type.Array(Metric),
  copy: Nullable(
    Type.Object({
      description: Type.String(),
      features: Type.Array(Type.String({ description: 'Why it has this score' })),
    }),
  ),
})
export type Item = Static<typeof Item>

export const SearchQuery = Type.Object({ emoji_id: EmojiIdText })
export const SearchAnswer = Type.Object({ result: Item, alternates: Type.Array(Item) })
export const ItemList = Type.Object({ result: Type.Array(Item) })

const Price = Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 }))
export const PriceTable = Type.Object({
  version: Type.Integer({ description: '0 for the built-in prices' }),
  prices: Type.Array(Nullable(Type.Integer())),
  reason: Nullable(Type.String()),
  actor_id: Nullable(Type.String({ description: 'The operator who set it' })),
  created_at: Nullable(Timestamp),
})
export const PriceTables = Type.Array(PriceTable)
export const NewPrices = Type.Object(
  {
    prices: Type.Array(Price, {
      minItems: 100,
      maxItems: 100,
      description: 'US cents by score from 1 to 100; null: not for sale',
    }),
    reason: ReasonText,
    based_on: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The version that this change is based on; 409 if it is no longer current',
      }),
    ),
  },
  // A misspelled based_on must not overwrite newer prices.
  { additionalProperties: false },
)
export type NewPrices = Static<typeof NewPrices>
