import { randomInt } from 'node:crypto'
import type { EmojiId } from '@emojid/core'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { inspectIds, loadCurrentPrices } from './price-ids.ts'
import { isAvailable, isForSale, randomId } from './rules.ts'
import type { Item } from './schema.ts'

const randomShown = 10

const recentShown = 50

export async function suggestRandomIds(deps: Deps, caller: Principal | undefined) {
  const table = await loadCurrentPrices(deps)
  const itemsById = new Map<EmojiId, Item>()
  for (let round = 0; itemsById.size < randomShown && round < 10; round++) {
    const drawnIds = Array.from({ length: 3 * randomShown }, () => randomId(randomInt))
    const offeredIds = drawnIds.filter((id) => isForSale(id, table))
    const { standingOf, describe } = await inspectIds(deps, offeredIds, table, caller)
    for (const id of offeredIds) {
      if (itemsById.size < randomShown && isAvailable(standingOf(id)))
        itemsById.set(id, describe(id))
    }
  }
  return { result: [...itemsById.values()] }
}

export async function listRecentIds(deps: Deps, caller: Principal | undefined) {
  const { emojiIds } = deps
  const ids = await emojiIds.findNewestIds(recentShown)
  const { describe } = await inspectIds(deps, ids, await loadCurrentPrices(deps), caller)
  return { result: ids.map(describe) }
}
