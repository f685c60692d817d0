import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import { feesOn, pricedAt } from '../carts/index.ts'
import { isBox, isId, type Order, type OrderItem } from '../orders/index.ts'
import type { Deps } from './deps.ts'

/** Tells `false` when something is not sold any more. */
export async function priceAnew(
  { catalog, lootboxSales, carts, orders }: Deps,
  trx: Transaction,
  order: Order,
  items: readonly OrderItem[],
) {
  const ids = items.filter(isId).map(({ emoji_id }) => emoji_id as EmojiId)
  const boxes = items.filter(isBox).map(({ lootbox_id }) => lootbox_id)
  const prices = new Map<string, number | null>([
    ...(await catalog.pricesOf(trx, ids)),
    ...(await lootboxSales.pricesOf(trx, boxes)),
  ])
  const fees = await carts.feesOf(trx, order.organization_id)
  for (const item of items) {
    const name = item.emoji_id ?? item.lootbox_id
    if (name === null) continue
    const price = prices.get(name) ?? null
    if (price === null) return false
    await orders.updateItem(trx, item.id, pricedAt(price, feesOn(item, fees)))
  }
  return true
}
