import { Type } from 'typebox'
import { Nullable, OneOf } from '../../platform/http/schemas.ts'

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
    match_indexes: Type.Array(Type.Integer(), { description: 'The places that make the shape' }),
    original: Type.String({ description: 'The id in its canonical format' }),
  }),
})

export const Rhythm = Type.Object({
  rhythm: Type.Integer({ minimum: 1, maximum: 100, description: 'Prestige from 1 to 100' }),
})
