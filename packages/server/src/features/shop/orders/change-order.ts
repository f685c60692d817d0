import type { Transaction } from '../../../tables.ts'
import type { Code } from '../codes/codes.ts'
import { emptyCart } from './load-order.ts'
import type { Deps } from './orders.ts'
import type { LoadedOrder, Order, OrderItem } from './repository.ts'
import * as orders from './repository.ts'
import * as rules from './rules.ts'
import type { Status } from './schema.ts'

/** Returns undefined if the status of the order has changed. */
export function moveOrder(
  { now }: Deps,
  trx: Transaction,
  order: Order,
  to: Status,
  change: orders.Change,
) {
  rules.assertMayBecome(order.status, to)
  const { id, status: from } = order
  return orders.move(trx, { id, from }, { ...change, status: to, updated_at: now() })
}

export const updateOrder = (
  { now }: Deps,
  trx: Transaction,
  id: string,
  change: Parameters<typeof orders.update>[2],
) => orders.update(trx, id, { ...change, updated_at: now() })

/** Adds discounts to items, with or without a code. */
export async function addDiscounts(
  { now }: Deps,
  trx: Transaction,
  order: LoadedOrder,
  discounts: readonly { item_id: string; cents: number }[],
  code: Pick<Code, 'id' | 'limited_to_fee'> | null,
): Promise<LoadedOrder> {
  const { id: order_id, items } = order
  const cutOf = (item_id: string, cents: number): number => {
    const item = items.find(({ id }) => id === item_id)
    return item ? rules.clientFeeCutOf(cents, item, items, code?.limited_to_fee === true) : 0
  }
  const addedItems = await orders.insertItems(
    trx,
    discounts.map(({ item_id, cents }) => ({
      order_id,
      item_type: 'Discount',
      parent_id: item_id,
      code_id: code?.id ?? null,
      unit_price_in_cents: -cents,
      client_fee_cut_in_cents: cutOf(item_id, cents),
      created_at: now(),
      updated_at: now(),
      emoji_id: null,
      display_format: null,
      rhythm_score: null,
      marked_invalid_at: null,
      marked_invalid_at_reason: null,
    })),
  )
  return { ...order, items: [...items, ...addedItems] }
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

/** Creates another cart of the user. */
export async function createCart(
  { now }: Deps,
  trx: Transaction,
  user_id: string,
  members: Partial<Order> = {},
): Promise<LoadedOrder> {
  const { tracking_data: _, ...others } = members
  const order = await orders.insert(trx, { ...emptyCart(user_id, now()), ...others })
  if (!order) throw new Error('A user has two current carts')
  return { ...order, items: [] }
}
