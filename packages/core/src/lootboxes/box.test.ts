import { describe, expect, it } from 'vitest'
import { emojiAlphabet } from '../ids/alphabet.ts'
import { emojisOf } from '../ids/formats.ts'
import type { EmojiId } from '../ids/parse.ts'
import { heldBackEmojis } from '../ids/release.ts'
import { rhythmScore } from '../ids/rhythm.ts'
import { type BoxRecipe, contentsHash, drawBox, recipeHash, recomputeBox, seedHash } from './box.ts'
import type { BoxConfig } from './odds.ts'
import { seededDraw } from './seeded-draw.ts'

const config: BoxConfig = {
  size: 5,
  min_length: 3,
  max_length: 5,
  min_base_score: 1,
  max_base_score: 30,
  guarantees: [{ count: 2, min_score: 40, max_score: 60 }],
  weights: [{ ipr: 4, min_score: 31, max_score: 45 }],
}
const emojis = emojiAlphabet.filter((emoji) => !heldBackEmojis().has(emoji))
const recipeWith = (more: Partial<BoxConfig> = {}): BoxRecipe => ({
  algorithm: 1,
  emojis,
  config: { ...config, ...more },
})
const recipe = recipeWith()
const seedOf = (byte: number) => Buffer.alloc(32, byte).toString('hex')

/** Draws a box with some ids unavailable. */
function draw(seed: string, isTaken: (id: EmojiId) => boolean = () => false, by = recipe) {
  const steps = drawBox(by, seededDraw(Buffer.from(seed, 'hex')))
  const rejections: { emoji_id: string; reason: string }[] = []
  let isRefused = false
  for (;;) {
    const { done, value } = steps.next(isRefused)
    if (done) return { ids: value, rejected: rejections }
    isRefused = value !== undefined && isTaken(value)
    if (isRefused) rejections.push({ emoji_id: String(value), reason: 'owned' })
  }
}

describe('a box', () => {
  it('a box has as many ids as its type says, guaranteed ones first, each with its score and length', () => {
    for (let byte = 0; byte < 10; byte++) {
      const ids = draw(seedOf(byte)).ids ?? []
      const scores = ids.map(rhythmScore)
      expect(new Set(ids).size).toBe(5)
      expect(scores.slice(0, 2).every((score) => score >= 40 && score <= 60)).toBe(true)
      expect(scores.slice(2).every((score) => score <= 45)).toBe(true)
      expect(ids.every((id) => emojisOf(id).length >= 3 && emojisOf(id).length <= 5)).toBe(true)
      expect(ids.flatMap(emojisOf).some((emoji) => heldBackEmojis().has(emoji))).toBe(false)
    }
  })

  it('a box of this algorithm never changes', () => {
    // Existing boxes are verified by drawing them again, so this output must never change.
    expect(draw(seedOf(7)).ids).toMatchInlineSnapshot(`
      [
        "📟🦖🍭",
        "🎖️🏒💰",
        "🍾🥚💪🥒",
        "👞🐍🚽💵🔱",
        "💻🥋☯️💥🌪️",
      ]
    `)
    expect(seedHash(seedOf(7))).toMatchInlineSnapshot(
      `"4bb06f8e4e3a7715d201d573d0aa423762e55dabd61a2c02278fa56cc6d294e0"`,
    )
  })

  it('a box is recomputed from the revealed data alone, including rejected ids', () => {
    const undisturbedIds = draw(seedOf(3)).ids
    let askedCount = 0
    // Every other id is taken.
    const { ids, rejected } = draw(seedOf(3), () => askedCount++ % 2 === 0)
    expect(rejected).toHaveLength(5)
    expect(ids).not.toEqual(undisturbedIds)
    expect(recomputeBox({ recipe, seed: seedOf(3), rejected })).toEqual(ids)
  })

  it.each<[string, Parameters<typeof recomputeBox>[0]]>([
    ['another seed', { recipe, seed: seedOf(4), rejected: [] }],
    ['another type', { recipe: recipeWith({ min_length: 4 }), seed: seedOf(3), rejected: [] }],
    [
      'an invented rejection',
      { recipe, seed: seedOf(3), rejected: [{ emoji_id: '🦀', reason: '' }] },
    ],
  ])('a box is not recomputed with %s', (_what, box) => {
    expect(recomputeBox(box)).not.toEqual(draw(seedOf(3)).ids)
  })

  it('that cannot be filled ends without ids', () => {
    expect(draw(seedOf(1), () => true).ids).toBeUndefined()
    const none = recipeWith({ min_length: 1, max_length: 1, max_base_score: 5, guarantees: [] })
    expect(draw(seedOf(1), () => false, none).ids).toBeUndefined()
    // This alphabet has fewer single emojis.
    const few = { ...recipeWith({ min_length: 1, max_length: 1, guarantees: [], weights: [] }) }
    const single = { ...few.config, min_base_score: 100, max_base_score: 100 }
    expect(draw(seedOf(1), undefined, { ...few, config: single, emojis: ['🦀'] }).ids).toBe(
      undefined,
    )
  })
})

describe('the hash of the contents', () => {
  const rejections = [{ emoji_id: '🦀', reason: 'owned' }]
  const contents = { seed: seedOf(1), emoji_ids: ['🐙'], rejected: rejections, recipe: null }
  const otherBox = { ...contents, recipe: { ...recipe, algorithm: 2 as const } }

  it('covers the seed, the ids and the rejections', () => {
    const bound = contentsHash(contents)
    expect(bound).toMatch(/^[0-9a-f]{64}$/)
    expect(contentsHash({ ...contents, seed: seedOf(2) })).not.toBe(bound)
    expect(contentsHash({ ...contents, emoji_ids: ['🔥'] })).not.toBe(bound)
    expect(contentsHash({ ...contents, rejected: [] })).not.toBe(bound)
    // Boxes of algorithm 1 use this hash, and keep it.
    expect(contentsHash({ ...contents, recipe })).toBe(bound)
  })

  it.each<[string, BoxRecipe | null]>([
    ['other odds', { ...recipeWith({ weights: [] }), algorithm: 2 }],
    ['other guarantees', { ...recipeWith({ guarantees: [] }), algorithm: 2 }],
    ['other lengths', { ...recipeWith({ max_length: 6 }), algorithm: 2 }],
    ['other emojis', { ...otherBox.recipe, emojis: emojis.slice(1) }],
    ['the previous algorithm', recipe],
    ['no recipe', null],
  ])('covers the recipe since algorithm 2: %s does not match', (_what, other) => {
    expect(contentsHash({ ...otherBox, recipe: other })).not.toBe(contentsHash(otherBox))
  })

  it("does not depend on the order of the recipe's members", () => {
    const { config, algorithm } = otherBox.recipe
    const reversedConfig = Object.fromEntries(Object.entries(config).toReversed()) as BoxConfig
    expect(recipeHash({ emojis, config: reversedConfig, algorithm })).toBe(
      recipeHash(otherBox.recipe),
    )
  })

  it('the hash of the contents of this algorithm never changes', () => {
    const seed = seedOf(7)
    const emoji_ids = draw(seed).ids ?? []
    expect(recipeHash(otherBox.recipe)).toMatchInlineSnapshot(
      `"74dedf1970f8427417250fe0e3cc09b1d0e6529c7267bedb238c662654369087"`,
    )
    expect(
      contentsHash({ seed, emoji_ids, rejected: [], recipe: otherBox.recipe }),
    ).toMatchInlineSnapshot(`"1b989bae11be5516c233362eb69292fe9b09cee5e1891a58c41384438e015bf0"`)
  })
})
