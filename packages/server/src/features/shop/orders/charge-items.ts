import { currentNetwork } from '../../../platform/request-id.ts'
import type { Deps } from './orders.ts'
import type { DisplayOrder, OrderPage } from './schema.ts'

/** In tenths of a millisecond of CPU. A cart has up to 100 items. */
export const orderCosts = { request: 60, listedOrder: 1, shownItem: 1, addedItem: 1, heldItem: 8 }

/** Counts the items of a response: their number is known only afterwards. */
export async function chargeItems(
  { work }: Deps,
  response: Promise<DisplayOrder>,
): Promise<DisplayOrder> {
  const order = await response
  work.take(currentNetwork(), order.order_items.length * orderCosts.shownItem)
  return order
}

/** Counts the orders of a page and their items. */
export async function chargePage({ work }: Deps, response: Promise<OrderPage>): Promise<OrderPage> {
  const page = await response
  const items = page.data.flatMap(({ order_items }) => order_items)
  const cost = page.data.length * orderCosts.listedOrder + items.length * orderCosts.shownItem
  work.take(currentNetwork(), cost)
  return page
}
