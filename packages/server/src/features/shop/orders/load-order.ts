import type { Database, Transaction } from '../../../tables.ts'
import { zeroSums } from '../ledger/ledger.ts'

import type { Deps } from './orders.ts'
import type { LoadedOrder, Order, OrderItem } from './repository.ts'
import * as orders from './repository.ts'
import * as rules from './rules.ts'

export const loadItems = (from: Database | Transaction, id: string) => orders.findItems(from, [id])

export const loadSums = async ({ ledger }: Deps, from: Database | Transaction, id: string) =>
  (await ledger.sumEntries(from, [id])).get(id) ?? zeroSums

/** Locks the user's current cart; creates it if there is none. */
export async function loadCurrentCart(
  { now }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<LoadedOrder> {
  for (;;) {
    const order =
      (await orders.findCurrentToChange(trx, user_id)) ??
      (await orders.insert(trx, { ...emptyCart(user_id, now()), is_current: true }))
    // A concurrent request has just created one: load that.
    if (order) return withItems(trx, order)
  }
}

/** Locks the order. Its items change only under this lock, so they are read once, here. */
export async function loadOrderToChange(trx: Transaction, id: string): Promise<LoadedOrder> {
  const order = await orders.findToChange(trx, id)
  if (!order) throw rules.unknownOrder()
  return withItems(trx, order)
}

const withItems = async (trx: Transaction, order: Order): Promise<LoadedOrder> => ({
  ...order,
  items: await orders.findItems(trx, [order.id]),
})

export const findOrder = ({ db }: Deps, id: string) => orders.find(db, id)

export const findCurrentCart = ({ db }: Deps, user_id: string) => orders.findCurrent(db, user_id)

export const findLapsedOrders = ({ db, now }: Deps, limit: number) =>
  orders.findLapsed(db, now(), limit)

export const boxesIn = (items: readonly OrderItem[]): string[] =>
  items.filter(rules.isBox).map(({ lootbox_id }) => lootbox_id)

export const emptyCart = (user_id: string, at: Date) => ({
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
