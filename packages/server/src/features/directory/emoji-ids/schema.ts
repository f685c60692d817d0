import { MAX_EMOJIS, textLengths } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { pagingQuery } from '../../../platform/http/api/paging.ts'
import {
  Hex32,
  Nullable,
  OneOf,
  OptionalReason,
  ReasonText,
  SearchText,
  Timestamp,
} from '../../../platform/http/api/schemas.ts'

/** How many emojis an id has. */
export const IdLength = Type.Integer({ minimum: 1, maximum: MAX_EMOJIS })

/** An id in a path or query: percent-encoded on the wire, in any spelling. */
export const EmojiIdText = Type.String({
  description:
    'An emoji id in any spelling: emojis with any tones and selectors, or in paths, queries and lookups also slugs (`fire.snake`) and its DNS label (`xn--4n8hpr`)',
})

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
  suspended_at: Type.Optional(
    Nullable(
      Type.Unsafe<Date>({
        ...Timestamp,
        description: 'Since when an operator has suspended it: the id can’t be used or changed',
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
  pubkey: Type.Optional(Hex32),
  reason: OptionalReason,
})
export type Grant = Static<typeof Grant>
export const IdParams = Type.Object({ emoji_id: EmojiIdText })

export const Revocation = Type.Object({
  reason: OptionalReason,
  reserve: Type.Optional(
    Type.Boolean({
      description:
        'Puts the id on the reserved list. Otherwise it is for sale again after a rest (REST_AFTER_REMOVAL_DAYS)',
    }),
  ),
})
export type Revocation = Static<typeof Revocation>

const PatternText = Type.String({
  ...textLengths.idPattern,
  description: 'An emoji id, or emojis with wildcards: * stands for any number of emojis',
})

export const ReservedId = Type.Object({
  pattern: Type.String(),
  reason: Type.String(),
  reserved_by: Nullable(Type.String()),
  reserved_at: Timestamp,
})

export const ReservedQuery = Type.Object({
  ...pagingQuery(['reserved_at', 'pattern'], { sort: 'reserved_at', dir: 'Desc' }).properties,
  q: SearchText('Emojis of the pattern, or part of the reason'),
})
export type ReservedQuery = Static<typeof ReservedQuery>

const ReservedRow = Type.Object({ pattern: PatternText, reason: ReasonText })
export const ReservedImport = Type.Object({
  rows: Type.Array(ReservedRow, { minItems: 1, maxItems: 1_000 }),
})
export type ReservedImport = Static<typeof ReservedImport>

const ReservedResult = Type.Object({
  pattern: Type.String({ description: 'As sent' }),
  status: OneOf(['added', 'changed', 'unchanged', 'refused']),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
})
export type ReservedResult = Static<typeof ReservedResult>
export const ReservedResults = Type.Object({
  data: Type.Array(ReservedResult, { description: 'One per row, in the order of the rows' }),
})

export const ReservedExportQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      maxLength: 200,
      description: '`next` of the previous response; from the start if omitted',
    }),
  ),
  limit: Type.Integer({ minimum: 1, default: 200, description: 'At most 200 are returned' }),
})
export type ReservedExportQuery = Static<typeof ReservedExportQuery>
export const ReservedExport = Type.Object({
  data: Type.Array(Type.Object({ pattern: Type.String(), reason: Type.String() })),
  next: Nullable(Type.String({ description: 'Cursor of the next page; null at the end' })),
})

export const ReservedRemoval = Type.Object({ pattern: PatternText, reason: OptionalReason })
