import { emojiAlphabet } from './alphabet.ts'
import { emojisOf } from './formats.ts'
import { shapeRules } from './generated/shapes.ts'
import type { EmojiId } from './parse.ts'
import { heldBackEmojis, isReleased } from './release.ts'
import { popularity, rhythmScore } from './rhythm.ts'
import { type ShapeName, shapeNames, shapeOf } from './shape.ts'
import { MAX_EMOJIS } from './tokenise.ts'

/** Conditions on ids, all of which must hold. A pattern without members matches every id. */
export type IdPattern = {
  min_length?: number
  max_length?: number
  min_score?: number
  max_score?: number
  /** It has one of these shapes. */
  shapes?: ShapeName[]
  /** It contains only these emojis. */
  emojis?: string[]
}

export function fitsPattern(pattern: IdPattern, id: EmojiId): boolean {
  const { min_length = 1, max_length = MAX_EMOJIS, min_score = 1, max_score = 100 } = pattern
  const emojis = emojisOf(id)
  const isBetween = (value: number, from: number, to: number) => value >= from && value <= to
  return (
    isBetween(emojis.length, min_length, max_length) &&
    (!pattern.emojis || emojis.every((emoji) => pattern.emojis?.includes(emoji))) &&
    (!pattern.shapes || pattern.shapes.some((shape) => shape === shapeOf(id))) &&
    isBetween(rhythmScore(id), min_score, max_score)
  )
}

/** Returns a whole number from 0, below the argument. */
type Draw = (below: number) => number

const usualTries = 2_000
const triesAtMost = 10_000

/**
 * A random id of released emojis that matches, or undefined. The first tries produce common ids:
 * three to five emojis if the length is open, and a shape only if requested. The further tries go
 * through all lengths and shapes, with emojis of similar popularity, so that they also reach the
 * rarest scores.
 */
export function randomFitting(
  pattern: IdPattern,
  draw: Draw,
  firstTries = usualTries,
): EmojiId | undefined {
  const { min_length = 1, max_length = MAX_EMOJIS } = pattern
  const emojis = (pattern.emojis ?? emojiAlphabet).filter((emoji) => !heldBackEmojis().has(emoji))
  let ranked: string[] | undefined
  if (emojis.length === 0 || min_length > max_length) return undefined
  const usual = {
    from: pattern.min_length ?? Math.min(3, max_length),
    to: pattern.max_length ?? Math.max(5, min_length),
    shapes: pattern.shapes ?? [undefined],
  }
  const any = {
    from: min_length,
    to: max_length,
    shapes: pattern.shapes ?? [undefined, ...shapeNames],
  }
  const pick: Pick = (from) => from[draw(from.length)] as (typeof from)[number]
  for (let tries = 0; tries < triesAtMost; tries++) {
    const isUsual = tries < firstTries
    const { from, to, shapes } = isUsual ? usual : any
    if (!isUsual) ranked ??= emojis.toSorted((a, b) => popularity(a) - popularity(b))
    const drawable = ranked ? sliceOf(ranked, draw) : emojis
    const symbols = Array.from({ length: from + draw(to - from + 1) }, () => pick(drawable))
    const shape = pick<ShapeName | undefined>(shapes)
    const id = (shape ? shapers[shape](symbols, pick) : symbols).join('') as EmojiId
    if (fitsPattern(pattern, id) && isReleased(id)) return id
  }
  return undefined
}

/** Adjacent emojis: two, up to about a tenth of all. */
function sliceOf(emojis: readonly string[], draw: Draw): readonly string[] {
  const start = draw(Math.max(1, emojis.length - 1))
  return emojis.slice(start, start + 2 + draw(Math.ceil(emojis.length / 10)))
}

type Pick = <Value>(from: readonly Value[]) => Value

/** Each turns random emojis into its shape, if they are enough. */
const shapers: Readonly<Record<ShapeName, (symbols: string[], pick: Pick) => string[]>> = {
  Repeaters: (symbols) => symbols.map(() => symbols[0] as string),
  'Eye Heart': (symbols) =>
    [...shapeRules['Eye Heart'].prefix, ...symbols].slice(0, symbols.length),
  Bookends: (symbols) => symbols.with(-1, symbols[0] as string),
  Adoptables: (symbols, pick) => {
    const { garments, heads } = shapeRules.Adoptables
    const one = pick(garments)
    const other = pick(garments.filter((garment) => garment !== one))
    return [pick(heads), one, other, ...symbols].slice(0, symbols.length)
  },
}
