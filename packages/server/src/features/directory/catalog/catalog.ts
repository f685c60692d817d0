import { randomInt } from 'node:crypto'
import { defaultPrices, type EmojiId, isReleased, type PriceTable, priceOf } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import { createLoadingCache } from '../../../platform/cache/loading-cache.ts'
import { afterCommit, transact } from '../../../platform/database/database.ts'
import type { DatabaseMonitor } from '../../../platform/database/monitor.ts'
import { type Budget, createBudget } from '../../../platform/http/limits.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import { type EmojiIds, readEmojiId } from '../emoji-ids/emoji-ids.ts'
import { countedWindow, lookupMetric, type Stats } from '../stats/stats.ts'
import * as prices from './repository.ts'
import type { Item, NewPrices } from './routes.ts'
import {
  assertNewest,
  availabilityOf,
  isAvailable,
  isForSale,
  itemOf,
  neighboursOf,
  type Offer,
  randomId,
} from './rules.ts'

export type { Offer } from './rules.ts'

export type Options = {
  db: Database
  monitor: DatabaseMonitor
  emojiIds: EmojiIds
  stats: Stats
  audit: Audit
  now: () => Date
}

type Deps = Options & {
  searches: Budget
  priceCache: ReturnType<typeof createLoadingCache<PriceTable>>
}

/** The number of ids that a request reads at most, or reads in its first round. */
export const costs = { search: 60, random: 30, recent: 50 }

/**
 * A search takes 2 to 5 ms of CPU, as much as dozens of lookups. A network may send 100 at once and
 * 30 per second: enough for ten people who type at the same time, and for a partner's server.
 */
const rates = {
  each: { atOnce: 6_000, perSecond: 1_800 },
  all: { atOnce: 24_000, perSecond: 6_000 },
}

export type Catalog = ReturnType<typeof createCatalog>

/** Search, suggestions and prices of ids. */
export function createCatalog(options: Options) {
  const { monitor } = options
  const priceCache = createPriceCache(options)
  const searches = createBudget('searches', rates)
  const deps: Deps = { ...options, searches, priceCache }
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
    searches,
  }
}

/** Prices of ids, and whether this buyer can buy them now. */
async function makeOffers(deps: Deps, ids: readonly EmojiId[], user_id: string) {
  const { emojiIds } = deps
  const [table, statuses] = await Promise.all([
    loadCurrentPrices(deps),
    emojiIds.findStatuses(ids, user_id),
  ])
  return new Map<EmojiId, Offer>(
    ids.map((id) => {
      const status = statuses.get(id) ?? { isHeld: false }
      const price = priceOf(id, table)
      return [id, { availability: availabilityOf(id, status, price), price }]
    }),
  )
}

const loadCurrentPrices = ({ priceCache }: Deps) => priceCache.get('newest')

const alternatesShown = 12

async function searchIds(deps: Deps, text: string, caller: Principal | undefined) {
  const id = readEmojiId(text)
  const table = await loadCurrentPrices(deps)
  const others = neighboursOf(id).filter((other) => isForSale(other, table))
  const { statusOf, describe } = await inspectIds(deps, [id, ...others], table, caller)
  const free = others.filter((other) => isAvailable(statusOf(other)))
  return { result: describe(id), alternates: free.slice(0, alternatesShown).map(describe) }
}

/** Loads owners, holds and lookup counts of many ids. */
async function inspectIds(
  { emojiIds, stats, now }: Deps,
  ids: readonly EmojiId[],
  table: PriceTable,
  caller?: Principal,
) {
  const [statuses, views] = await Promise.all([
    emojiIds.findStatuses(ids, caller?.user_id),
    stats.readViews(ids),
  ])
  const window = countedWindow(now())
  const statusOf = (id: EmojiId) => statuses.get(id) ?? { isHeld: false }
  return {
    statusOf,
    describe: (id: EmojiId): Item =>
      itemOf(id, statusOf(id), table, lookupMetric(id, views.get(id) ?? 0, window)),
  }
}

const randomShown = 10

async function suggestRandomIds(deps: Deps, caller: Principal | undefined) {
  const table = await loadCurrentPrices(deps)
  const itemsById = new Map<EmojiId, Item>()
  for (let round = 0; itemsById.size < randomShown && round < 10; round++) {
    const drawnIds = Array.from({ length: 3 * randomShown }, () => randomId(randomInt))
    const offeredIds = drawnIds.filter((id) => isForSale(id, table))
    const { statusOf, describe } = await inspectIds(deps, offeredIds, table, caller)
    for (const id of offeredIds) {
      if (itemsById.size < randomShown && isAvailable(statusOf(id))) itemsById.set(id, describe(id))
    }
  }
  return { result: [...itemsById.values()] }
}

const recentShown = 50

async function listRecentIds(deps: Deps, caller: Principal | undefined) {
  const { emojiIds } = deps
  const ids = await emojiIds.findNewestIds(recentShown)
  const { describe } = await inspectIds(deps, ids, await loadCurrentPrices(deps), caller)
  return { result: ids.map(describe) }
}

/** The price of an available id; null if it is not available. */
async function findPriceNow(deps: Deps, id: EmojiId): Promise<number | null> {
  const { describe } = await inspectIds(deps, [id], await loadCurrentPrices(deps))
  const { available, price } = describe(id)
  return available ? price : null
}

/**
 * For pages, which clients could read instead of searching: spends from the rate limit of searches.
 * Undefined if the network has used it up.
 */
async function findPriceForPage(deps: Deps, id: EmojiId) {
  if (!deps.searches.trySpend(currentNetwork(), costs.search)) return undefined
  return findPriceNow(deps, id)
}

const tablesShown = 50

/** All price tables, the current one first. */
async function listPriceTables({ db }: Deps) {
  const noAuthor = { actor_id: null, created_at: null }
  const builtInTable = { version: 0, prices: [...defaultPrices], reason: null, ...noAuthor }
  return [...(await prices.findPrices(db, tablesShown)), builtInTable]
}

async function setPrices(
  { db, now, audit, priceCache }: Deps,
  { user_id: actor_id }: Principal,
  body: NewPrices,
) {
  const { prices: table, reason, based_on } = body
  return transact(db, async (trx) => {
    await prices.lockPrices(trx)
    const [newest] = await prices.findPrices(trx, 1)
    assertNewest(newest?.version ?? 0, based_on)
    const text = JSON.stringify(table)
    const row = await prices.insertPrices(trx, {
      prices: text,
      reason,
      actor_id,
      created_at: now(),
    })
    const details = { version: row.version, reason }
    await audit.writeEntry(trx, 'prices.changed', { actor_id, details })
    afterCommit(trx, priceCache.clear)
    return row
  })
}

/** Caches the current prices: every response needs them, and they rarely change. */
const createPriceCache = ({ db, monitor }: Options) =>
  createLoadingCache<PriceTable>({
    capacity: 1,
    isCurrent: monitor.isCurrent,
    missing: () => defaultPrices,
    load: async ([key = '']) =>
      new Map((await prices.findPrices(db, 1)).map((newest) => [key, newest.prices])),
  })

/** Current prices, whether or not the ids are owned; null if they are not for sale. */
async function findPrices(trx: Transaction, ids: readonly EmojiId[]) {
  // Not from the cache: this is what a buyer pays.
  const [newest] = await prices.findPrices(trx, 1)
  const table = newest?.prices ?? defaultPrices
  return new Map(ids.map((id) => [id, isReleased(id) ? priceOf(id, table) : null]))
}
