import { defaultPrices, type EmojiId, isReleased, type PriceTable, priceOf } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import { countedWindow, lookupMetric } from '../stats/index.ts'
import type { Deps } from './deps.ts'
import * as prices from './repository.ts'
import { availabilityOf, itemOf, type Offer } from './rules.ts'
import type { Item } from './schema.ts'

export const loadCurrentPrices = ({ inForce }: Deps) => inForce.get('newest')

/** All that is known of many ids: who has them, who is about to, how often they were asked for. */
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

/** What ids cost now, whoever has them; null when they are not for sale. */
export async function findPrices(trx: Transaction, ids: readonly EmojiId[]) {
  // Asked for, not remembered: this is what a buyer pays.
  const [newest] = await prices.findPrices(trx, 1)
  const table = newest?.prices ?? defaultPrices
  return new Map(ids.map((id) => [id, isReleased(id) ? priceOf(id, table) : null]))
}

/** For how much ids are sold, and whether to this buyer now. */
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

/** What an id costs whoever comes first; nothing while it cannot be had. */
export async function findPriceNow(deps: Deps, id: EmojiId): Promise<number | null> {
  const { describe } = await inspectIds(deps, [id], await loadCurrentPrices(deps))
  const { available, price } = describe(id)
  return available ? price : null
}
