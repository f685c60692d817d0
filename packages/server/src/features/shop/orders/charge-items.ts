import { currentNetwork } from '../../../platform/request-id.ts'
import { costs } from './limits.ts'
import type { Deps } from './orders.ts'
import type { DisplayOrder, OrderPage } from './schema.ts'

/** Counts the items of a response: their number is known only afterwards. */
export async function chargeItems(
  { limits }: Deps,
  response: Promise<DisplayOrder>,
): Promise<DisplayOrder> {
  const order = await response
  limits.work.take(currentNetwork(), order.order_items.length * costs.shownItem)
  return order
}

/** Counts the orders of a page and their items. */
export async function chargePage(
  { limits }: Deps,
  response: Promise<OrderPage>,
): Promise<OrderPage> {
  const page = await response
  const items = page.data.flatMap(({ order_items }) => order_items)
  const cost = page.data.length * costs.listedOrder + items.length * costs.shownItem
  limits.work.take(currentNetwork(), cost)
  return page
}
