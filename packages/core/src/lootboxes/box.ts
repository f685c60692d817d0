import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { EmojiId } from '../ids/parse.ts'
import { randomFitting } from '../ids/pattern.ts'
import { type BoxConfig, drawScores, type ScoreRange } from './odds.ts'
import { type Draw, seededDraw } from './seeded-draw.ts'

/** Everything except the seed that determines a draw. */
export type BoxRecipe = {
  /**
   * The algorithm of drawing and hashing; its output never changes (box.test.ts pins it). Both draw
   * alike; since 2 the hash of the contents covers the recipe too.
   */
  algorithm: 1 | 2
  config: BoxConfig
  /** The released emojis at the time of the draw. */
  emojis: readonly string[]
}

/** A drawn id that was unavailable. */
export type Rejection = { emoji_id: string; reason: string }

export type RevealedBox = {
  recipe: BoxRecipe
  /** 32 bytes in hex. */
  seed: string
  rejected: readonly Rejection[]
}

const drawsPerId = 100
/** The number of tries with common ids; rare scores are then searched for differently. */
const plainTries = 100

/**
 * Draws a box id by id. The caller answers each id with true if it is unavailable; a yield without
 * an id only lets the caller do other work. Ends without ids if the box cannot be filled.
 */
export function* drawBox(
  { config, emojis }: BoxRecipe,
  draw: Draw,
): Generator<EmojiId | undefined, EmojiId[] | undefined, boolean> {
  const guaranteed = config.guarantees.flatMap((range) => Array(range.count).fill(range))
  const { min_length, max_length } = config
  const seenIds = new Set<EmojiId>()
  const ids: EmojiId[] = []
  while (ids.length < config.size) {
    const scores: ScoreRange = guaranteed[ids.length] ?? drawScores(config, draw)
    const { min_score, max_score } = scores
    const pattern = { min_length, max_length, min_score, max_score, emojis: [...emojis] }
    const before = ids.length
    for (let n = 0; n < drawsPerId && ids.length === before; n++) {
      const id = randomFitting(pattern, draw, plainTries)
      if (id === undefined) return undefined
      if (seenIds.has(id)) yield undefined
      else {
        seenIds.add(id)
        const isRefused = yield id
        if (!isRefused) ids.push(id)
      }
    }
    if (ids.length === before) return undefined
  }
  return ids
}

/** Recomputes a box from the revealed data, pausing after each id; undefined if that fails. */
export function* recomputeStepwise({ recipe, seed, rejected }: RevealedBox) {
  const steps = drawBox(recipe, seededDraw(hexToBytes(seed)))
  let knownCount = 0
  let isRefused = false
  for (;;) {
    const { done, value } = steps.next(isRefused)
    // A rejection without a drawn id was invented.
    if (done) return knownCount === rejected.length ? value : undefined
    isRefused = value !== undefined && rejected[knownCount]?.emoji_id === value
    if (isRefused) knownCount++
    yield
  }
}

/** The ids of a box, computed from the revealed data alone. */
export function recomputeBox(box: RevealedBox): EmojiId[] | undefined {
  const steps = recomputeStepwise(box)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The published hash of a seed before it is revealed (commitment). */
export const seedHash = (seed: string): string => bytesToHex(sha256(hexToBytes(seed)))

/** A hash of the whole recipe, independent of the order of its members. */
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

/** The published hash of the contents: with the seed, anyone can verify that nothing changed. */
export function contentsHash({ seed, emoji_ids, rejected, recipe }: Contents): string {
  const rejections = rejected.map(({ emoji_id, reason }) => [emoji_id, reason])
  const bound = recipe && recipe.algorithm !== 1 ? [recipeHash(recipe)] : []
  return hashOf([seed, emoji_ids, rejections, ...bound])
}

const hashOf = (value: unknown): string => bytesToHex(sha256(utf8ToBytes(JSON.stringify(value))))
