import { randomInt } from 'node:crypto'
import { defaultPrices, type EmojiId, isReleased, type PriceTable, priceOf } from '@emojid/core'
import { createLoadingCache } from '../../platform/cache/loading-cache.ts'
import { afterCommit, transact } from '../../platform/database/database.ts'
import type { DatabaseMonitor } from '../../platform/database/monitor.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import { type EmojiIds, readEmojiId } from '../emoji-ids/index.ts'
import { countedWindow, lookupMetric, type Stats } from '../stats/index.ts'
import * as prices from './repository.ts'
import {
  assertNewest,
  availabilityOf,
  isForSale,
  isFree,
  itemOf,
  neighboursOf,
  type Offer,
  randomId,
} from './rules.ts'
import type { Item, NewPrices } from './schema.ts'

export type Catalog = ReturnType<typeof createCatalog>

type Options = {
  db: Database
  monitor: DatabaseMonitor
  emojiIds: EmojiIds
  stats: Stats
  audit: Audit
  now: () => Date
}

const alternatesShown = 12
const randomShown = 10
const recentShown = 50
const tablesShown = 50

/** What can be had, for how much, and why. */
export function createCatalog({ db, monitor, emojiIds, stats, audit, now }: Options) {
  /** The prices in force, from memory: every answer needs them, and they hardly ever change. */
  const inForce = createLoadingCache<PriceTable>({
    ...{ capacity: 1, isCurrent: monitor.isCurrent, missing: () => defaultPrices },
    load: async ([key = '']) =>
      new Map((await prices.findPrices(db, 1)).map((newest) => [key, newest.prices])),
  })
  monitor.listen('prices_changed', inForce.clear, inForce.clear)
  const currentPrices = () => inForce.get('newest')

  /** All that is known of many ids: who has them, who is about to, how often they were asked for. */
  const inspect = async (ids: readonly EmojiId[], table: PriceTable, caller?: Principal) => {
    const [standings, views] = await Promise.all([
      emojiIds.standings(ids, caller?.user_id),
      stats.views(ids),
    ])
    const window = countedWindow(now())
    const standingOf = (id: EmojiId) => standings.get(id) ?? { isHeld: false }
    return {
      standingOf,
      describe: (id: EmojiId): Item =>
        itemOf(id, standingOf(id), table, lookupMetric(id, views.get(id) ?? 0, window)),
    }
  }

  return {
    /** What ids cost now, whoever has them; null when they are not for sale. */
    async pricesOf(trx: Transaction, ids: readonly EmojiId[]) {
      // Asked for, not remembered: this is what a buyer pays.
      const [newest] = await prices.findPrices(trx, 1)
      const table = newest?.prices ?? defaultPrices
      return new Map(ids.map((id) => [id, isReleased(id) ? priceOf(id, table) : null]))
    },

    /** For how much ids are sold, and whether to this buyer now. */
    async offers(ids: readonly EmojiId[], user_id: string) {
      const [table, standings] = await Promise.all([
        currentPrices(),
        emojiIds.standings(ids, user_id),
      ])
      return new Map<EmojiId, Offer>(
        ids.map((id) => {
          const standing = standings.get(id) ?? { isHeld: false }
          const price = priceOf(id, table)
          return [id, { availability: availabilityOf(id, standing, price), price }]
        }),
      )
    },

    async search(text: string, caller: Principal | undefined) {
      const id = readEmojiId(text)
      const table = await currentPrices()
      const others = neighboursOf(id).filter((other) => isForSale(other, table))
      const { standingOf, describe } = await inspect([id, ...others], table, caller)
      const free = others.filter((other) => isFree(standingOf(other)))
      return { result: describe(id), alternates: free.slice(0, alternatesShown).map(describe) }
    },

    async random(caller: Principal | undefined) {
      const table = await currentPrices()
      const found = new Map<EmojiId, Item>()
      for (let round = 0; found.size < randomShown && round < 10; round++) {
        const drawn = Array.from({ length: 3 * randomShown }, () => randomId(randomInt))
        const offered = drawn.filter((id) => isForSale(id, table))
        const { standingOf, describe } = await inspect(offered, table, caller)
        for (const id of offered) {
          if (found.size < randomShown && isFree(standingOf(id))) found.set(id, describe(id))
        }
      }
      return { result: [...found.values()] }
    },

    async recent(caller: Principal | undefined) {
      const ids = await emojiIds.newest(recentShown)
      const { describe } = await inspect(ids, await currentPrices(), caller)
      return { result: ids.map(describe) }
    },

    /** What an id costs whoever comes first; nothing while it cannot be had. */
    async priceNow(id: EmojiId): Promise<number | null> {
      const { describe } = await inspect([id], await currentPrices())
      const { available, price } = describe(id)
      return available ? price : null
    },

    /** Every price table there was, the one in force first. */
    async priceTables() {
      const nobody = { actor_id: null, created_at: null }
      const ours = { version: 0, prices: [...defaultPrices], reason: null, ...nobody }
      return [...(await prices.findPrices(db, tablesShown)), ours]
    },

    async setPrices({ user_id: actor_id }: Principal, body: NewPrices) {
      const { prices: table, reason, based_on } = body
      return transact(db, async (trx) => {
        await prices.lockPrices(trx)
        const [newest] = await prices.findPrices(trx, 1)
        assertNewest(newest?.version ?? 0, based_on)
        const text = JSON.stringify(table)
        const made = await prices.insertPrices(trx, {
          prices: text,
          reason,
          actor_id,
          created_at: now(),
        })
        const details = { version: made.version, reason }
        await audit.note(trx, 'prices.changed', { actor_id, details })
        afterCommit(trx, inForce.clear)
        return made
      })
    },
  }
}
