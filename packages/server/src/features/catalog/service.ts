import { randomInt } from 'node:crypto'
import { defaultPrices, type EmojiId, isReleased, type PriceTable, priceOf } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { Database } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import { type EmojiIds, readEmojiId } from '../emoji-ids/index.ts'
import { countedWindow, lookupMetric, type Stats } from '../stats/index.ts'
import * as prices from './repository.ts'
import { availabilityOf, itemOf, neighboursOf, randomId } from './rules.ts'
import type { Item, NewPrices } from './schema.ts'

export type Catalog = ReturnType<typeof createCatalog>

type Options = { db: Database; emojiIds: EmojiIds; stats: Stats; audit: Audit; now: () => Date }

const alternatesShown = 12
const randomShown = 10
const recentShown = 50
const tablesShown = 50

/** What can be had, for how much, and why. */
export function createCatalog({ db, emojiIds, stats, audit, now }: Options) {
  const currentPrices = async (): Promise<PriceTable> => {
    const [newest] = await prices.findPrices(db, 1)
    return newest?.prices ?? defaultPrices
  }
  /** Many ids at once: who has them, who is about to, how often they were asked for. */
  const describe = async (
    ids: readonly EmojiId[],
    caller: Principal | undefined,
  ): Promise<Item[]> => {
    const [table, standings, views] = await Promise.all([
      currentPrices(),
      emojiIds.standings(ids, caller?.user_id),
      stats.views(ids),
    ])
    const window = countedWindow(now())
    return ids.map((id) => {
      const metric = lookupMetric(id, views.get(id) ?? 0, window)
      return itemOf(id, standings.get(id) ?? { isHeld: false }, table, metric)
    })
  }
  const firstAvailable = async (ids: readonly EmojiId[], count: number, caller?: Principal) => {
    const table = await currentPrices()
    const sellable = ids.filter((id) => isReleased(id) && priceOf(id, table) !== null)
    const standings = await emojiIds.standings(sellable, caller?.user_id)
    return sellable
      .filter((id) => {
        const standing = standings.get(id) ?? { isHeld: false }
        return availabilityOf(id, standing, table) === 'Available'
      })
      .slice(0, count)
  }

  return {
    async search(text: string, caller: Principal | undefined) {
      const id = readEmojiId(text)
      const others = await firstAvailable(neighboursOf(id), alternatesShown, caller)
      const [result, ...alternates] = await describe([id, ...others], caller)
      return { result: result as Item, alternates }
    },

    async random(caller: Principal | undefined) {
      const found = new Set<EmojiId>()
      for (let round = 0; found.size < randomShown && round < 10; round++) {
        const drawn = Array.from({ length: 3 * randomShown }, () => randomId(randomInt))
        for (const id of await firstAvailable([...new Set(drawn)], randomShown, caller))
          found.add(id)
      }
      return { result: await describe([...found].slice(0, randomShown), caller) }
    },

    async recent(caller: Principal | undefined) {
      return { result: await describe(await emojiIds.newest(recentShown), caller) }
    },

    /** Every price table there was, the one in force first. */
    async priceTables() {
      const ours = { version: 0, prices: [...defaultPrices], reason: null, created_at: null }
      return [...(await prices.findPrices(db, tablesShown)), ours]
    },

    async setPrices({ user_id: actor_id }: Principal, { prices: table, reason }: NewPrices) {
      return transact(db, async (trx) => {
        const text = JSON.stringify(table)
        const made = await prices.insertPrices(trx, {
          prices: text,
          reason,
          actor_id,
          created_at: now(),
        })
        const details = { version: made.version, reason }
        await audit.note(trx, 'prices.changed', { actor_id, details })
        return made
      })
    },
  }
}
