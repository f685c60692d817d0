import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import { feesOn, pricedAt } from '../carts/carts.ts'
import { isBox, isId, type LoadedOrder, type OrderItem } from '../orders/orders.ts'
import type { Deps } from './deps.ts'

/** Prices an order like a new one; returns undefined if an item is no longer for sale. */
export async function priceOrder(
  { catalog, lootboxSales, carts, orders }: Deps,
  trx: Transaction,
  order: LoadedOrder,
): Promise<LoadedOrder | undefined> {
  const { items } = order
  const ids = items.filter(isId).map(({ emoji_id }) => emoji_id as EmojiId)
  const boxes = items.filter(isBox).map(({ lootbox_id }) => lootbox_id)
  const prices = new Map<string, number | null>([
    ...(await catalog.findPrices(trx, ids)),
    ...(await lootboxSales.findPrices(trx, boxes)),
  ])
  const fees = await carts.findFees(trx, order.organization_id)
  const priced: OrderItem[] = []
  for (const item of items) {
    const name = item.emoji_id ?? item.lootbox_id
    if (name === null) {
      priced.push(item)
      continue
    }
    const price = prices.get(name) ?? null
    if (price === null) return undefined
    priced.push(await orders.updateItem(trx, item.id, pricedAt(price, feesOn(item, fees))))
  }
  return { ...order, items: priced }
}
