import { type Static, Type } from 'typebox'
import { Nullable, OneOf, OptionalReason, Timestamp } from '../../../platform/http/schemas.ts'

/** An id in a path or query: percent-encoded on the wire, in any spelling. */
export const EmojiIdText = Type.String({ description: 'An emoji id in any spelling' })

export const EmojiList = Type.Array(Type.String(), {
  description: 'Every emoji of the alphabet, in its permanent order',
})

const shapeNames = ['Repeaters', 'Eye Heart', 'Bookends', 'Adoptables'] as const

export const Shape = Type.Object({
  shape: Nullable(OneOf(shapeNames)),
  pattern: Type.Object({
    pattern: Type.String({ description: 'Letters by first occurrence, such as abca' }),
    match_indexes: Type.Array(Type.Integer(), { description: 'The positions that make the shape' }),
    original: Type.String({ description: 'The id in its canonical format' }),
  }),
})

export const Rhythm = Type.Object({
  rhythm: Type.Integer({ minimum: 1, maximum: 100, description: 'Prestige from 1 to 100' }),
})

export const ListItem = Type.Object({
  canonical_format: Type.String(),
  chain_format: Type.String(),
  display_format: Type.String(),
  shortname: Type.String(),
  flippable_emoji: Type.Array(Type.Boolean()),
  generation: Type.Integer(),
  rhythm_score: Type.Integer(),
  minted: Type.Boolean(),
  shape: Shape,
  blocked_until: Nullable(Timestamp),
  signed_until: Type.Optional(Nullable(Timestamp)),
  token_id: Nullable(Type.Integer()),
  frozen_at: Type.Optional(
    Nullable(
      Type.Unsafe<Date>({
        ...Timestamp,
        description:
          'Since when the payment is disputed: the id can’t be transferred, released or minted',
      }),
    ),
  ),
})
export const ExtendedList = Type.Array(ListItem)
export const DisplayList = Type.Array(Type.String())

const Uuid = Type.String({ format: 'uuid' })
export const OwnerQuery = Type.Object({
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Needs Admin' })),
  organization_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Needs a power role in it' }),
  ),
})
export type OwnerQuery = Static<typeof OwnerQuery>

export const Grant = Type.Object({
  emoji_id: EmojiIdText,
  user_id: Type.Optional(Uuid),
  organization_id: Type.Optional(Uuid),
  pubkey: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' })),
  reason: OptionalReason,
})
export type Grant = Static<typeof Grant>
export const IdParams = Type.Object({ emoji_id: EmojiIdText })
