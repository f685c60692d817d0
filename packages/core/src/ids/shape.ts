import { emojisOf } from './formats.ts'
import { shapePrecedence, shapeRules } from './generated/shapes.ts'
import type { EmojiId } from './parse.ts'

export type ShapeName = (typeof shapePrecedence)[number]

/** Every shape; an id with several is named after the first of them. */
export const shapeNames = shapePrecedence

/** The repetition pattern of an id, and the emojis (by index, from 0) that form its shape. */
export type EmojiPattern = { pattern: string; match_indexes: number[]; original: string }
export type ShapeMatch = { shape: ShapeName | null; pattern: EmojiPattern }

export function shapeMatch(id: EmojiId): ShapeMatch {
  const emojis = emojisOf(id)
  const shape = findShape(emojis)
  const pattern = letters(emojis)
  return {
    shape: shape?.shape ?? null,
    pattern: { pattern, match_indexes: shape?.match_indexes ?? [], original: id },
  }
}

export function shapeOf(id: EmojiId): ShapeName | null {
  return findShape(emojisOf(id))?.shape ?? null
}

type Matcher = (emojis: readonly string[]) => number[] | undefined

/** Each returns the indexes that form the shape, or undefined. */
const matchers: Readonly<Record<ShapeName, Matcher>> = {
  Repeaters: (emojis) =>
    emojis.every((emoji) => emoji === emojis[0]) ? [...emojis.keys()] : undefined,
  'Eye Heart': (emojis) =>
    shapeRules['Eye Heart'].prefix.every((emoji, place) => emojis[place] === emoji)
      ? [0, 1]
      : undefined,
  Bookends: (emojis) => (emojis[0] === emojis.at(-1) ? [0, emojis.length - 1] : undefined),
  Adoptables: (emojis) => {
    const { garments, heads, min_distinct_garments } = shapeRules.Adoptables
    const garmentPlaces = [...emojis.keys()].filter((place) =>
      garments.includes(emojis[place] as string),
    )
    if (new Set(garmentPlaces.map((place) => emojis[place])).size < min_distinct_garments)
      return undefined
    const head = emojis.findIndex((emoji) => heads.includes(emoji))
    return head >= 0 && head < (garmentPlaces[0] as number) ? [head, ...garmentPlaces] : undefined
  },
}

function findShape(emojis: readonly string[]) {
  for (const shape of shapePrecedence) {
    if (emojis.length < shapeRules[shape].min_length) continue
    const match_indexes = matchers[shape](emojis)
    if (match_indexes) return { shape, match_indexes }
  }
  return undefined
}

/** `abca`: the first emoji is a, every new one gets the next letter. */
function letters(emojis: readonly string[]): string {
  const distinctEmojis = [...new Set(emojis)]
  return emojis.map((emoji) => 'abcdef'.charAt(distinctEmojis.indexOf(emoji))).join('')
}
