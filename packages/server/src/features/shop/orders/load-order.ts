import type { Transaction } from '../../../tables.ts'
import type { Deps } from './orders.ts'
import type { LoadedOrder, Order, OrderItem } from './repository.ts'
import * as orders from './repository.ts'
import * as rules from './rules.ts'

/** Locks the user's current cart; creates it if there is none. */
export async function loadCurrentCart(
  { now }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<LoadedOrder> {
  for (;;) {
    const current = await orders.lockCurrent(trx, user_id)
    if (current) return loadOrder(trx, current.id)
    const order = await orders.insert(trx, { ...emptyCart(user_id, now()), is_current: true })
    // A concurrent request has just created one: load that.
    if (order) return withoutParts(order)
  }
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
  return withoutParts(order)
}

/** Locks the order, then reads it: the locking statement would return items from before its wait. */
export async function loadToChange(trx: Transaction, id: string): Promise<LoadedOrder> {
  if (!(await orders.lock(trx, id))) throw rules.unknownOrder()
  return loadOrder(trx, id)
}

async function loadOrder(trx: Transaction, id: string): Promise<LoadedOrder> {
  const [order] = await orders.load(trx, [id])
  return order as LoadedOrder
}

export const findOrder = ({ db }: Deps, id: string) => orders.find(db, id)

export const findCurrentCart = ({ db }: Deps, user_id: string) => orders.findCurrent(db, user_id)

export const findLapsedOrders = ({ db, now }: Deps, limit: number) =>
  orders.findLapsed(db, now(), limit)

export const boxesIn = (items: readonly OrderItem[]): string[] =>
  items.filter(rules.isBox).map(({ lootbox_id }) => lootbox_id)

const withoutParts = (order: Order): LoadedOrder => ({
  ...order,
  items: [],
  entries: [],
  disputes: [],
  attempts: [],
  applied_codes: [],
  misc_paid_out: 0,
})

const emptyCart = (user_id: string, at: Date) => ({
  user_id,
  status: 'Draft' as const,
  is_current: false,
  round: 0,
  method: null,
  organization_id: null,
  pubkey: null,
  tracking_data: null,
  paid_at: null,
  expires_at: null,
  held_until: null,
  refund_requested_at: null,
  refund_request: null,
  created_at: at,
  updated_at: at,
})
