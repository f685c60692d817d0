import {
  type BoxConfig,
  oddsOf,
  type PriceTable,
  priceOfScore,
  type ScoreRange,
} from '@emojid/core'

/** What the ids of a box cost together, at least and at most. */
export function worthOf(config: BoxConfig, prices: PriceTable) {
  const { slots, ranges } = oddsOf(config)
  const possible = ranges.filter(({ probability }) => probability > 0)
  const least = (range: ScoreRange) => Math.min(...pricesIn(range, prices))
  const most = (range: ScoreRange) => Math.max(...pricesIn(range, prices))
  const guaranteed = (one: (range: ScoreRange) => number) =>
    config.guarantees.reduce((sum, { count, ...range }) => sum + count * one(range), 0)
  return {
    least: guaranteed(least) + slots * Math.min(...possible.map(least)),
    most: guaranteed(most) + slots * Math.max(...possible.map(most)),
  }
}

const pricesIn = ({ min_score, max_score }: ScoreRange, prices: PriceTable): number[] =>
  Array.from(
    { length: max_score - min_score + 1 },
    (_, nth) => priceOfScore(min_score + nth, prices) ?? 0,
  )
