import { pricesV1 } from './generated/prices.ts'
import type { EmojiId } from './parse.ts'
import { rhythmScore } from './rhythm.ts'

/** US cents by score, from score 1 on; null means that ids of this score have no price. */
export type PriceTable = readonly (number | null)[]

export const defaultPrices: PriceTable = pricesV1

export function priceOfScore(score: number, table: PriceTable = defaultPrices): number | null {
  return table[score - 1] ?? null
}

export function priceOf(id: EmojiId, table: PriceTable = defaultPrices): number | null {
  return priceOfScore(rhythmScore(id), table)
}
