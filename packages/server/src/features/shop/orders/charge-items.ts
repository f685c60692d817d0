import { currentNetwork } from '../../../platform/request-id.ts'
import type { Deps } from './orders.ts'
import type { Order } from './repository.ts'
import * as orders from './repository.ts'
import type { DisplayOrder } from './schema.ts'

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

/** Counts the orders of a page and their items before they are read: a page can have 20,000. */
export async function chargePage({ db, work }: Deps, rows: readonly Order[]): Promise<void> {
  if (rows.length === 0) return
  const items = await orders.countItems(
    db,
    rows.map(({ id }) => id),
  )
  const cost = rows.length * orderCosts.listedOrder + items * orderCosts.shownItem
  work.spend(currentNetwork(), cost)
}
