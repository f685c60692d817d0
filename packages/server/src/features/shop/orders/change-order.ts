import type { Transaction } from '../../../tables.ts'
import type { Code } from '../codes/codes.ts'
import type { Deps } from './orders.ts'
import type { LoadedOrder, Order, OrderItem } from './repository.ts'
import * as orders from './repository.ts'
import * as rules from './rules.ts'
import type { Status } from './schema.ts'

export async function moveOrder(
  { now }: Deps,
  trx: Transaction,
  order: LoadedOrder,
  to: Status,
  change: orders.Change,
): Promise<LoadedOrder> {
  rules.assertMayBecome(order.status, to)
  const { id, status: from } = order
  const row = await orders.move(trx, { id, from }, { ...change, status: to, updated_at: now() })
  return { ...order, ...row }
}

export const updateOrder = (
  { now }: Deps,
  trx: Transaction,
  { id }: Order,
  change: orders.Change,
): Promise<Order> => orders.update(trx, id, { ...change, updated_at: now() })

/** Adds discounts to items, with or without a code. */
export async function addDiscounts(
  { now }: Deps,
  trx: Transaction,
  order: LoadedOrder,
  discounts: readonly rules.Discount[],
  code: Pick<Code, 'id' | 'limited_to_fee'> | null,
): Promise<LoadedOrder> {
  const rows = rules.discountItems(order, discounts, code, now())
  return { ...order, items: [...order.items, ...(await orders.insertItems(trx, rows))] }
}

/** Sets prices and marks of items; returns all items in their order. */
export async function updateItems(
  { now }: Deps,
  trx: Transaction,
  items: readonly OrderItem[],
  changes: readonly orders.ItemPrice[],
): Promise<OrderItem[]> {
  if (changes.length === 0) return [...items]
  const rows = await orders.setPrices(trx, changes, now())
  const changedItems = new Map(rows.map((item) => [item.id, item]))
  return items.map((item) => changedItems.get(item.id) ?? item)
}
