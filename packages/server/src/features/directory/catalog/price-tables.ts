import { defaultPrices, type PriceTable } from '@emojid/core'
import { createLoadingCache } from '../../../platform/cache/loading-cache.ts'
import { afterCommit, transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps, Options } from './deps.ts'
import * as prices from './repository.ts'
import { assertNewest } from './rules.ts'
import type { NewPrices } from './schema.ts'

const tablesShown = 50

/** Caches the current prices: every response needs them, and they rarely change. */
export const createPriceCache = ({ db, monitor }: Options) =>
  createLoadingCache<PriceTable>({
    capacity: 1,
    isCurrent: monitor.isCurrent,
    missing: () => defaultPrices,
    load: async ([key = '']) =>
      new Map((await prices.findPrices(db, 1)).map((newest) => [key, newest.prices])),
  })

/** All price tables, the current one first. */
export async function listPriceTables({ db }: Deps) {
  const noAuthor = { actor_id: null, created_at: null }
  const builtInTable = { version: 0, prices: [...defaultPrices], reason: null, ...noAuthor }
  return [...(await prices.findPrices(db, tablesShown)), builtInTable]
}

export async function setPrices(
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
