import {
  type BoxConfig,
  oddsOf,
  type PriceTable,
  priceOfScore,
  type ScoreRange,
} from '@emojid/core'
import { language } from '../../../language.ts'

/** The lowest and highest total price of a box; ids without a price do not count. */
export function worthOf(config: BoxConfig, prices: PriceTable) {
  const { slots, ranges } = oddsOf(config)
  const possible = ranges.filter(({ probability }) => probability > 0)
  const drawnIds = slots > 0 ? possible : []
  const priced = drawnIds.flatMap((range) => pricesIn(range, prices))
  const least = (range: ScoreRange) => leastOf(pricesIn(range, prices))
  const most = (range: ScoreRange) => mostOf(pricesIn(range, prices))
  const guaranteed = (one: (range: ScoreRange) => number) =>
    config.guarantees.reduce((sum, { count, ...range }) => sum + count * one(range), 0)
  return {
    least: guaranteed(least) + slots * leastOf(priced),
    most: guaranteed(most) + slots * mostOf(priced),
    hasUnpriced: [...config.guarantees, ...drawnIds].some(
      (range) => pricesIn(range, prices).length <= range.max_score - range.min_score,
    ),
  }
}

const leastOf = (cents: readonly number[]) => (cents.length > 0 ? Math.min(...cents) : 0)
const mostOf = (cents: readonly number[]) => Math.max(0, ...cents)

const pricesIn = ({ min_score, max_score }: ScoreRange, prices: PriceTable): number[] =>
  Array.from(
    { length: max_score - min_score + 1 },
    (_, nth) => priceOfScore(min_score + nth, prices) ?? [],
  ).flat()

const percent = new Intl.NumberFormat(language, { style: 'percent', maximumSignificantDigits: 4 })
const nearlyOne = 0.9999

/** A chance in percent. Only a certain event shows 100 %. */
export function shownChance(chance: number): string {
  const isCertain = chance > 1 - 1e-12
  return !isCertain && chance > nearlyOne
    ? `> ${percent.format(nearlyOne)}`
    : percent.format(chance)
}
