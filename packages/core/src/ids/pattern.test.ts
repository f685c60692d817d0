import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emojisOf } from './formats.ts'
import { parseEmojiId } from './parse.ts'
import { fitsPattern, type IdPattern, randomFitting } from './pattern.ts'
import { heldBackEmojis, isReleased } from './release.ts'
import { rhythmScore } from './rhythm.ts'
import { shapeNames, shapeOf } from './shape.ts'

const byChance = (below: number) => Math.floor(Math.random() * below)
const many = (pattern: IdPattern, count = 20) =>
  Array.from({ length: count }, () => randomFitting(pattern, byChance))

describe('a pattern', () => {
  it('a pattern without members matches every id', () => {
    for (const id of ['🔥', '🔥🐍', '🦀🌊🦀🌊🦀🌊'])
      expect(fitsPattern({}, parseEmojiId(id))).toBe(true)
  })

  const score = rhythmScore(parseEmojiId('🦀🌊🦀'))
  it.each<[string, IdPattern]>([
    ['too short', { min_length: 4 }],
    ['too long', { max_length: 2 }],
    ['of too low a score', { min_score: score + 1 }],
    ['of too high a score', { max_score: score - 1 }],
    ['of another shape', { shapes: ['Repeaters', 'Eye Heart'] }],
    ['with another emoji', { emojis: ['🦀', '🐙'] }],
    ['wrong in one of several ways', { min_length: 3, shapes: ['Bookends'], emojis: ['🦀'] }],
  ])('a pattern does not match an id that is %s', (_how, pattern) => {
    expect(fitsPattern(pattern, parseEmojiId('🦀🌊🦀'))).toBe(false)
  })

  it.each<IdPattern>([
    { min_length: 3, max_length: 3 },
    { min_score: score, max_score: score },
    { shapes: ['Repeaters', 'Bookends'] },
    { emojis: ['🌊', '🦀', '🐙'] },
  ])('matches an id just within its limits: %j', (pattern) => {
    expect(fitsPattern(pattern, parseEmojiId('🦀🌊🦀'))).toBe(true)
  })

  it('a pattern with shapes fits no id that has none', () => {
    expect(fitsPattern({ shapes: [...shapeNames] }, parseEmojiId('🔥🐍'))).toBe(false)
  })
})

describe('a random id', () => {
  it.each<IdPattern>([
    {},
    { min_length: 2, max_length: 2 },
    { min_length: 6 },
    { max_length: 1 },
    { min_score: 97, max_score: 99 },
    { max_score: 2 },
    { min_score: 73, max_score: 73 },
    { emojis: ['🦀'] },
    { emojis: ['🦀', '🌊'], min_length: 4, max_length: 5, shapes: ['Bookends'] },
    { min_score: 60, max_length: 4 },
    ...shapeNames.map((shape) => ({ shapes: [shape] })),
    ...shapeNames.map((shape) => ({ shapes: [shape], min_length: 5, max_length: 5 })),
  ])('matches %j', (pattern) => {
    for (const id of many(pattern)) {
      if (id === undefined) throw new Error('Nothing was found')
      expect(parseEmojiId(id)).toBe(id)
      expect(fitsPattern(pattern, id)).toBe(true)
      expect(isReleased(id)).toBe(true)
    }
  })

  it('a random id has three to five emojis if the length is open', () => {
    const lengths = new Set(many({}, 200).map((id) => id && emojisOf(id).length))
    expect([...lengths].sort()).toEqual([3, 4, 5])
  })

  it('a random id has each of the requested shapes', () => {
    const shapes = new Set(
      many({ shapes: ['Repeaters', 'Adoptables'] }, 200).map((id) => id && shapeOf(id)),
    )
    expect([...shapes].sort()).toEqual(['Adoptables', 'Repeaters'])
  })

  it.each<IdPattern>([
    { max_length: 2, max_score: 80 },
    { min_length: 6, min_score: 90 },
    { min_length: 4, max_length: 3 },
    { shapes: ['Eye Heart'], max_length: 2 },
    { emojis: [...heldBackEmojis().keys()] },
  ])('a random id is undefined if no id matches: %j', (pattern) => {
    expect(randomFitting(pattern, byChance)).toBeUndefined()
  })

  it('a random id is deterministic for the same random numbers', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (stream) => {
        const numbers = [...stream.take(20)]
        const replay = () => {
          let at = 0
          return randomFitting({}, (below) => (numbers[at++ % numbers.length] ?? 0) % below)
        }
        expect(replay()).toBe(replay())
      }),
    )
  })
})
