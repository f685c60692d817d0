import { describe, expect, it } from 'vitest'
import { type BoxConfig, drawScores, oddsOf } from './odds.ts'
import { seededDraw } from './seeded-draw.ts'

const config: BoxConfig = {
  ...{ size: 5, min_length: 1, max_length: 6, min_base_score: 1, max_base_score: 50 },
  guarantees: [{ count: 2, min_score: 40, max_score: 50 }],
  weights: [
    { ipr: 4, min_score: 51, max_score: 60 },
    { ipr: 100, min_score: 81, max_score: 100 },
    { ipr: 12.5, min_score: 61, max_score: 80 },
  ],
}

describe('the odds of a slot', () => {
  it('go down the weights, rarest first, and what is left is the base', () => {
    const { slots, ranges } = oddsOf(config)
    expect(slots).toBe(3)
    expect(ranges.map(({ min_score }) => min_score)).toEqual([81, 61, 51, 1])
    const [rarest = 0, rare = 0, usual = 0, base = 0] = ranges.map((range) => range.probability)
    expect(rarest).toBeCloseTo(0.01)
    expect(rare).toBeCloseTo(0.99 * 0.08)
    expect(usual).toBeCloseTo(0.99 * 0.92 * 0.25)
    expect(rarest + rare + usual + base).toBeCloseTo(1)
    expect(ranges[0]?.at_least_one).toBeCloseTo(1 - 0.99 ** 3)
  })

  it('are what 100,000 draws come to (χ²)', () => {
    const draw = seededDraw(Buffer.from('the same every time'))
    const { ranges } = oddsOf(config)
    const counts = new Map(ranges.map(({ min_score }) => [min_score, 0]))
    const draws = 100_000
    for (let n = 0; n < draws; n++) {
      const { min_score } = drawScores(config, draw)
      counts.set(min_score, (counts.get(min_score) ?? 0) + 1)
    }
    const chiSquared = ranges.reduce((sum, { min_score, probability }) => {
      const expected = probability * draws
      return sum + ((counts.get(min_score) ?? 0) - expected) ** 2 / expected
    }, 0)
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(draws)
    // Three degrees of freedom: beyond this in one case of a thousand.
    expect(chiSquared).toBeLessThan(16.27)
    // Where the first weight were tried first, this would be far off.
    expect(Math.abs((counts.get(81) ?? 0) - 1_000)).toBeLessThan(150)
  })

  it('are all the base without weights, and never the base when a weight always hits', () => {
    const draw = seededDraw(Buffer.from('any'))
    expect(drawScores({ ...config, weights: [] }, draw)).toMatchObject({ min_score: 1 })
    const always = { ...config, weights: [{ ipr: 1, min_score: 7, max_score: 8 }] }
    expect(drawScores(always, draw)).toMatchObject({ min_score: 7 })
    expect(oddsOf(always).ranges.map(({ probability }) => probability)).toEqual([1, 0])
  })
})
