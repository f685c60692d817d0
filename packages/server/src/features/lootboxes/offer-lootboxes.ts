import { parseEmojiId } from '@emojid/core'
import type { Database } from '../../tables.ts'
import type { Offer } from '../directory/catalog/catalog.ts'
import type { Deps } from './lootboxes.ts'
import { findLootboxes } from './read-lootboxes.ts'
import { findTypes } from './read-types.ts'
import type { Box } from './repository.ts'

export async function findOffers(
  { isSold, emojiIds }: Deps,
  from: Database,
  ids: readonly string[],
  availabilityOf: (box: Box) => Offer['availability'],
) {
  if (ids.length === 0) return new Map<string, Offer>()
  const boxesById = new Map((await findLootboxes(from, ids)).map((box) => [box.id, box]))
  const typeIds = [...boxesById.values()].flatMap(({ lootbox_type_id }) => lootbox_type_id ?? [])
  const types = await findTypes(from, typeIds)
  const contents = [...boxesById.values()].flatMap(({ yats }) => yats.map((id) => parseEmojiId(id)))
  const reservedIds = new Set(await emojiIds.findOnList(from, contents))
  const isListed = ({ yats }: Box) => yats.some((id) => reservedIds.has(parseEmojiId(id)))
  return new Map<string, Offer>(
    ids.map((id) => {
      const box = boxesById.get(id)
      const price = types.get(box?.lootbox_type_id ?? '')?.price_in_cents ?? null
      // Ids that an operator reserved since the box was drawn are not sold.
      const isOffered = isSold && box?.status === 'Available' && price !== null && !isListed(box)
      return [id, { price, availability: isOffered ? availabilityOf(box) : 'NoPrice' }]
    }),
  )
}

/** The price of boxes, and whether they are available now. */
export function showOffers(deps: Deps, ids: readonly string[]) {
  const { db, now } = deps
  return findOffers(deps, db, ids, ({ held_until }) =>
    held_until && held_until > now() ? 'InCart' : 'Available',
  )
}

/** The current prices; null for boxes that are not for sale. */
export async function findPrices(deps: Deps, from: Database, ids: readonly string[]) {
  const offers = await findOffers(deps, from, ids, () => 'Available')
  return new Map(
    [...offers].map(([id, { availability, price }]) => [
      id,
      availability === 'Available' ? price : null,
    ]),
  )
}
