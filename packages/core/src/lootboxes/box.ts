import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { EmojiId } from '../ids/parse.ts'
import { randomFitting } from '../ids/pattern.ts'
import { type BoxConfig, drawScores, type ScoreRange } from './odds.ts'
import { type Draw, seededDraw } from './seeded-draw.ts'

/** Everything but the seed that decides what is drawn. */
export type BoxRecipe = {
  /**
   * Names the way of drawing and sealing; what it draws never changes (box.test.ts holds it). Both
   * draw alike; since 2 the seal of the contents binds the recipe too.
   */
  algorithm: 1 | 2
  config: BoxConfig
  /** What ids were made of when the box was drawn. */
  emojis: readonly string[]
}

/** An id that was drawn and could not be had. */
export type Rejection = { emoji_id: string; reason: string }

export type RevealedBox = {
  recipe: BoxRecipe
  /** 32 bytes in hex. */
  seed: string
  rejected: readonly Rejection[]
}

const drawsPerId = 100
/** So many tries make plain ids; scores that these hardly meet are looked for in other ways then. */
const plainTries = 100

/**
 * Draws a box id by id. Each is to be answered with whether it is refused, because it cannot be had;
 * without an id nothing is asked: somebody else may do something meanwhile. Ends without ids when
 * the box cannot be filled.
 */
export function* drawBox(
  { config, emojis }: BoxRecipe,
  draw: Draw,
): Generator<EmojiId | undefined, EmojiId[] | undefined, boolean> {
  const guaranteed = config.guarantees.flatMap((range) => Array(range.count).fill(range))
  const { min_length, max_length } = config
  const seen = new Set<EmojiId>()
  const ids: EmojiId[] = []
  while (ids.length < config.size) {
    const scores: ScoreRange = guaranteed[ids.length] ?? drawScores(config, draw)
    const { min_score, max_score } = scores
    const pattern = { min_length, max_length, min_score, max_score, emojis: [...emojis] }
    const before = ids.length
    for (let n = 0; n < drawsPerId && ids.length === before; n++) {
      const id = randomFitting(pattern, draw, plainTries)
      if (id === undefined) return undefined
      if (seen.has(id)) yield undefined
      else {
        seen.add(id)
        const isRefused = yield id
        if (!isRefused) ids.push(id)
      }
    }
    if (ids.length === before) return undefined
  }
  return ids
}

/** Draws a box again from what was revealed, pausing after each id; nothing when that does not work out. */
export function* recomputeStepwise({ recipe, seed, rejected }: RevealedBox) {
  const steps = drawBox(recipe, seededDraw(hexToBytes(seed)))
  let known = 0
  let isRefused = false
  for (;;) {
    const { done, value } = steps.next(isRefused)
    // A rejection that nothing was drawn for was made up.
    if (done) return known === rejected.length ? value : undefined
    isRefused = value !== undefined && rejected[known]?.emoji_id === value
    if (isRefused) known++
    yield
  }
}

/** The ids of a box, computed from what was revealed alone. */
export function recomputeBox(box: RevealedBox): EmojiId[] | undefined {
  const steps = recomputeStepwise(box)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** What is published of a seed before it is revealed. */
export const seedHash = (seed: string): string => bytesToHex(sha256(hexToBytes(seed)))

/** One number for the whole recipe, whatever order its members were sent in. */
export function recipeHash({ algorithm, config, emojis }: BoxRecipe): string {
  const { size, min_length, max_length, min_base_score, max_base_score } = config
  const guarantees = config.guarantees.map((one) => [one.count, one.min_score, one.max_score])
  const weights = config.weights.map((one) => [one.ipr, one.min_score, one.max_score])
  const numbers = [algorithm, size, min_length, max_length, min_base_score, max_base_score]
  return hashOf([...numbers, guarantees, weights, emojis])
}

type Contents = {
  seed: string
  emoji_ids: readonly string[]
  rejected: readonly Rejection[]
  /** Null for a box that was filled by hand. */
  recipe: BoxRecipe | null
}

/** What is published of the contents: whoever knows the seed can check that nothing was changed. */
export function contentsHash({ seed, emoji_ids, rejected, recipe }: Contents): string {
  const refused = rejected.map(({ emoji_id, reason }) => [emoji_id, reason])
  const bound = recipe && recipe.algorithm !== 1 ? [recipeHash(recipe)] : []
  return hashOf([seed, emoji_ids, refused, ...bound])
}

const hashOf = (value: unknown): string => bytesToHex(sha256(utf8ToBytes(JSON.stringify(value))))
