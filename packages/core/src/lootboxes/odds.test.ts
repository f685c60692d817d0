import { describe, expect, it } from 'vitest'
import { type BoxConfig, drawScores, oddsOf } from './odds.ts'
import { seededDraw } from './seeded-draw.ts'

const config: BoxConfig = {
  size: 5,
  min_length: 1,
  max_length: 6,
  min_base_score: 1,
  max_base_score: 50,
  guarantees: [{ count: 2, min_score: 40, max_score: 50 }],
  weights: [
    { ipr: 4, min_score: 51, max_score: 60 },
    { ipr: 100, min_score: 81, max_score: 100 },
    { ipr: 12.5, min_score: 61, max_score: 80 },
  ],
}

describe('the odds of a slot', () => {
  it('follow the weights, rarest first, with the base for the rest', () => {
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

  it('count guarantees within a range, and none that only overlap it', () => {
    const oddsWith = (guarantees: BoxConfig['guarantees'], weights = config.weights) =>
      oddsOf({ ...config, guarantees, weights }).ranges.map(({ at_least_one }) => at_least_one)
    const by = (min_score: number, max_score: number) => [{ count: 1, min_score, max_score }]
    const byChance = oddsWith([{ count: 1, min_score: 1, max_score: 100 }])
    expect(byChance[0]).toBeCloseTo(1 - 0.99 ** 4)
    // The ranges are 81–100, 61–80, 51–60 and, as the base, 1–50.
    expect(oddsWith(by(61, 80))).toEqual(byChance.with(1, 1))
    expect(oddsWith(by(65, 70))).toEqual(byChance.with(1, 1))
    expect(oddsWith(by(60, 70))).toEqual(byChance)
    expect(oddsWith(by(80, 81))).toEqual(byChance)
    expect(oddsWith([...by(50, 50), ...by(90, 100)])).toMatchObject({ 0: 1, 3: 1 })
    // Nested ranges: a guarantee for the inner one counts for both.
    const nestedWeights = [...config.weights, { ipr: 50, min_score: 70, max_score: 100 }]
    const [rarest, outer, ...others] = oddsWith(by(85, 90), nestedWeights)
    expect([rarest, outer]).toEqual([1, 1])
    expect(others.every((odds) => odds < 1)).toBe(true)
  })

  it('the odds of a slot of a box add up if two weights have the same scores', () => {
    const weights = [2, 4].map((ipr) => ({ ipr, min_score: 51, max_score: 60 }))
    const { ranges } = oddsOf({ ...config, guarantees: [], weights })
    expect(ranges.map(({ probability }) => probability)).toEqual([0.25, 0.375, 0.375])
    expect(ranges[0]?.at_least_one).toBeCloseTo(1 - 0.375 ** 5)
    expect(ranges[1]?.at_least_one).toBe(ranges[0]?.at_least_one)
    expect(ranges[2]?.at_least_one).toBeCloseTo(1 - 0.625 ** 5)
  })

  it('the odds of a slot are certain if everything is guaranteed, and zero for other scores', () => {
    const { slots, ranges } = oddsOf({
      ...config,
      guarantees: [{ count: 5, min_score: 40, max_score: 50 }],
    })
    expect(slots).toBe(0)
    expect(ranges.map(({ at_least_one }) => at_least_one)).toEqual([0, 0, 0, 1])
  })

  it('agree with 20,000 draws (χ²)', () => {
    const draw = seededDraw(Buffer.from('the same every time'))
    const { ranges } = oddsOf(config)
    const counts = new Map(ranges.map(({ min_score }) => [min_score, 0]))
    const draws = 20_000
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
    // This would be far off if the first weight were tried first.
    expect(Math.abs((counts.get(81) ?? 0) - 200)).toBeLessThan(60)
  })

  it('the odds of a slot are all the base without weights, and never the base if a weight always hits', () => {
    const draw = seededDraw(Buffer.from('any'))
    expect(drawScores({ ...config, weights: [] }, draw)).toMatchObject({ min_score: 1 })
    const always = { ...config, weights: [{ ipr: 1, min_score: 7, max_score: 8 }] }
    expect(drawScores(always, draw)).toMatchObject({ min_score: 7 })
    expect(oddsOf(always).ranges.map(({ probability }) => probability)).toEqual([1, 0])
  })
})
