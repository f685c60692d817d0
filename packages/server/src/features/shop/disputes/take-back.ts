import type { Transaction } from '../../../tables.ts'
import type { OwnedId } from '../../directory/emoji-ids/emoji-ids.ts'
import { coolingEnd, type LoadedOrder } from '../orders/orders.ts'
import type { Deps } from './disputes.ts'
import { findBoxes } from './read-disputes.ts'
import * as rules from './rules.ts'

export async function releaseIds(
  { emojiIds, now }: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  actor_id: string | null,
) {
  await emojiIds.setFrozen(trx, [ownedId.emoji_id], null)
  const free = { ...ownedId, frozen_at: null }
  await emojiIds.revokeId(trx, actor_id, free, coolingEnd(now()))
}

/** Unopened boxes are for sale again. */
export async function takeBackBoxes({ lootboxSales }: Deps, trx: Transaction, order: LoadedOrder) {
  for (const id of findBoxes(order.items)) await lootboxSales.takeBackLootbox(trx, order, id)
}

export async function isAnyFrozen(
  { emojiIds, lootboxSales }: Deps,
  trx: Transaction,
  order: LoadedOrder,
) {
  const ownedIds = await emojiIds.lockIdsOfOrder(trx, order.id)
  const boxes = await lootboxSales.findLootboxes(trx, findBoxes(order.items))
  const isFrozenBox = (box: { order_id: string | null; frozen_at: Date | null }) =>
    box.order_id === order.id && box.frozen_at !== null
  return ownedIds.some(({ frozen_at }) => frozen_at !== null) || boxes.some(isFrozenBox)
}

/** Marks the revoked items as refunded. */
export async function markItemsRefunded(
  { emojiIds, lootboxSales, orders, now }: Deps,
  trx: Transaction,
  order: LoadedOrder,
) {
  const ownedIds = await emojiIds.lockIdsOfOrder(trx, order.id)
  const remainingIds = new Set(ownedIds.map(({ emoji_id }) => emoji_id))
  const boxes = await lootboxSales.findLootboxes(trx, findBoxes(order.items))
  for (const { id } of rules.itemsWithoutOwner(order.items, remainingIds, boxes)) {
    await orders.updateItem(trx, id, { refunded_quantity: 1, updated_at: now() })
  }
  await orders.updateOrder(trx, order, {})
}
