import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps, Options } from './deps.ts'
import { createLimits } from './limits.ts'
import { findPriceForPage, findPriceNow, findPrices, makeOffers } from './price-ids.ts'
import { createPriceCache, listPriceTables, setPrices } from './price-tables.ts'
import { searchIds } from './search-ids.ts'
import { listRecentIds, suggestRandomIds } from './suggest-ids.ts'

export type { Offer } from './rules.ts'

export type Catalog = ReturnType<typeof createCatalog>

/** Search, suggestions and prices of ids. */
export function createCatalog(options: Options) {
  const { monitor } = options
  const priceCache = createPriceCache(options)
  const limits = createLimits()
  const deps: Deps = { ...options, limits, priceCache }
  monitor.listen('prices_changed', priceCache.clear, priceCache.clear)

  return {
    ...bindUseCases(deps, {
      makeOffers,
      searchIds,
      suggestRandomIds,
      listRecentIds,
      findPriceNow,
      findPriceForPage,
      listPriceTables,
      setPrices,
    }),
    findPrices,
    limits,
  }
}
