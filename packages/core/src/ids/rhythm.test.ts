import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { detailsOf, emojiDetails, spokenName } from './details.ts'
import { flippableEmoji } from './flippable.ts'
import { emojisOf } from './formats.ts'
import { type EmojiId, parseEmojiId } from './parse.ts'
import { priceOf, priceOfScore } from './prices.ts'
import { heldBackEmojis, isReleased } from './release.ts'
import { rhythmScore, scoreRange } from './rhythm.ts'
import { shapeMatch } from './shape.ts'

type Observation = { id: string; score?: number; min?: number; max?: number }
type Price = { score: number; cents: number | null }
type Entry = {
  emoji: string
  flippable: boolean
  released: boolean
  name: string
  slug: string
  keywords: string[]
  group: string
}

const load = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../data/${name}.v1.json`, import.meta.url), 'utf8'))

describe('the rhythm score', () => {
  it('matches every observed score', () => {
    const observed: Observation[] = load('rhythm').observed
    expect(observed).toHaveLength(918)
    const missed = observed.filter(({ id, score, min, max }) => {
      const ours = rhythmScore(parseEmojiId(id))
      return ours < (score ?? min ?? 0) || ours > (score ?? max ?? 100)
    })
    expect(missed).toEqual([])
  })

  it('the rhythm score stays within the range of its length', () => {
    const observed: Observation[] = load('rhythm').observed
    const outside = observed.filter(({ id }) => {
      const parsedId = parseEmojiId(id)
      const { lowest, highest } = scoreRange(emojisOf(parsedId).length)
      const score = rhythmScore(parsedId)
      return score < lowest || score > highest
    })
    expect(outside).toEqual([])
    expect(scoreRange(1)).toEqual({ lowest: 100, highest: 100 })
    expect(scoreRange(6).lowest).toBe(1)
  })
})

describe('the price', () => {
  it('comes from the table, and is null for a single emoji', () => {
    const entries: Price[] = load('prices').entries
    expect(entries).toHaveLength(100)
    for (const { score, cents } of entries) expect(priceOfScore(score)).toBe(cents)
    expect(priceOf('🔥' as EmojiId)).toBeNull()
    expect(priceOf('💎💎💎' as EmojiId)).toBe(340_000)
  })

  it('follows a table that an operator changed', () => {
    const table = Array.from({ length: 100 }, (_, index) => index + 1)
    expect(priceOf('💎💎💎' as EmojiId, table)).toBe(99)
  })
})

describe('the shape', () => {
  it.each([
    ['💎💎💎', 'Repeaters', 'aaa', [0, 1, 2]],
    ['👁️❤️🍕', 'Eye Heart', 'abc', [0, 1]],
    ['✨🔥👑🔥✨', 'Bookends', 'abcba', [0, 4]],
    ['🎩👽👕👖👞', 'Adoptables', 'abcde', [1, 2, 3, 4]],
    ['🔥🐍🔥🐍', null, 'abab', []],
    ['🔥', null, 'a', []],
  ])('the shape of %s is %s with the pattern %s', (id, shape, pattern, match_indexes) => {
    expect(shapeMatch(parseEmojiId(id))).toEqual({
      shape,
      pattern: { pattern, match_indexes, original: id },
    })
  })
})

describe('the data of single emojis', () => {
  const entries: Entry[] = load('emoji-set').entries

  it('agrees with the source', () => {
    expect(emojiDetails()).toEqual(
      entries.map(({ emoji, slug, name, group, keywords }) => ({
        emoji,
        slug,
        name,
        group,
        keywords,
      })),
    )
    for (const { emoji, flippable, released } of entries) {
      expect(flippableEmoji(emoji as EmojiId)).toEqual([flippable])
      expect(isReleased(emoji as EmojiId)).toBe(released)
    }
  })

  it('names the reason why an emoji is held back, and the emoji it resembles', () => {
    expect(heldBackEmojis().get('💔')).toEqual({ reason: 'lookalike', conflicts_with: '❤️' })
    expect(isReleased(parseEmojiId('🔥♎'))).toBe(false)
  })

  it('includes the spoken names', () => {
    expect(spokenName(parseEmojiId('🔥🐍'))).toBe('fire, snake')
    expect(detailsOf('x')).toBeUndefined()
  })
})
