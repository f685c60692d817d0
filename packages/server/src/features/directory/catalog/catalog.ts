import { defaultPrices, type PriceTable } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import { createLoadingCache } from '../../../platform/cache/loading-cache.ts'
import type { Deps, Options } from './deps.ts'
import { findPriceNow, findPrices, makeOffers } from './price-ids.ts'
import { listPriceTables, setPrices } from './price-tables.ts'
import * as prices from './repository.ts'
import { searchIds } from './search-ids.ts'
import { createSearchLimit } from './search-limit.ts'
import { listRecentIds, suggestRandomIds } from './suggest-ids.ts'

export type Catalog = ReturnType<typeof createCatalog>

/** What can be had, for how much, and why. */
export function createCatalog(options: Options) {
  const { monitor, db } = options
  /** The prices in force, from memory: every answer needs them, and they hardly ever change. */
  const inForce = createLoadingCache<PriceTable>({
    capacity: 1,
    isCurrent: monitor.isCurrent,
    missing: () => defaultPrices,
    load: async ([key = '']) =>
      new Map((await prices.findPrices(db, 1)).map((newest) => [key, newest.prices])),
  })
  const deps: Deps = { ...options, inForce }
  monitor.listen('prices_changed', inForce.clear, inForce.clear)
  return {
    ...bindUseCases(deps, {
      offers: makeOffers,
      search: searchIds,
      random: suggestRandomIds,
      recent: listRecentIds,
      priceNow: findPriceNow,
      priceTables: listPriceTables,
      setPrices,
    }),
    pricesOf: findPrices,
    /** Throws while the network has asked for too much. */
    assertAllowed: createSearchLimit(),
  }
}
