import { defaultPrices, type EmojiId, isReleased, type PriceTable, priceOf } from '@emojid/core'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import { countedWindow, lookupMetric } from '../stats/stats.ts'
import type { Deps } from './deps.ts'
import { costs } from './limits.ts'
import * as prices from './repository.ts'
import { availabilityOf, itemOf, type Offer } from './rules.ts'
import type { Item } from './schema.ts'

export const loadCurrentPrices = ({ priceCache }: Deps) => priceCache.get('newest')

/** Loads owners, holds and lookup counts of many ids. */
export async function inspectIds(
  { emojiIds, stats, now }: Deps,
  ids: readonly EmojiId[],
  table: PriceTable,
  caller?: Principal,
) {
  const [standings, views] = await Promise.all([
    emojiIds.findStandings(ids, caller?.user_id),
    stats.readViews(ids),
  ])
  const window = countedWindow(now())
  const standingOf = (id: EmojiId) => standings.get(id) ?? { isHeld: false }
  return {
    standingOf,
    describe: (id: EmojiId): Item =>
      itemOf(id, standingOf(id), table, lookupMetric(id, views.get(id) ?? 0, window)),
  }
}

/** Current prices, whether or not the ids are owned; null if they are not for sale. */
export async function findPrices(trx: Transaction, ids: readonly EmojiId[]) {
  // Not from the cache: this is what a buyer pays.
  const [newest] = await prices.findPrices(trx, 1)
  const table = newest?.prices ?? defaultPrices
  return new Map(ids.map((id) => [id, isReleased(id) ? priceOf(id, table) : null]))
}

/** Prices of ids, and whether this buyer can buy them now. */
export async function makeOffers(deps: Deps, ids: readonly EmojiId[], user_id: string) {
  const { emojiIds } = deps
  const [table, standings] = await Promise.all([
    loadCurrentPrices(deps),
    emojiIds.findStandings(ids, user_id),
  ])
  return new Map<EmojiId, Offer>(
    ids.map((id) => {
      const standing = standings.get(id) ?? { isHeld: false }
      const price = priceOf(id, table)
      return [id, { availability: availabilityOf(id, standing, price), price }]
    }),
  )
}

/** The price of an available id; null if it is not available. */
export async function findPriceNow(deps: Deps, id: EmojiId): Promise<number | null> {
  const { describe } = await inspectIds(deps, [id], await loadCurrentPrices(deps))
  const { available, price } = describe(id)
  return available ? price : null
}

/**
 * For pages, which clients could read instead of searching: spends from the rate limit of searches.
 * Undefined if the network has used it up.
 */
export async function findPriceForPage(deps: Deps, id: EmojiId) {
  if (!deps.limits.ids.trySpend(currentNetwork(), costs.search)) return undefined
  return findPriceNow(deps, id)
}
