import type { Principal } from '../../operations/access/index.ts'
import { isLapsed, type Order } from '../orders/index.ts'
import type { Deps } from './deps.ts'

/** Lapses a checkout whose hold has expired, even if its job is late. */
export async function lapseIfExpired(
  { now, settlement }: Deps,
  order: Order | undefined,
): Promise<void> {
  if (order && isLapsed(order, now())) await settlement.lapseOrder(order.id)
}

/** Does the same for the caller's current cart; returns the resulting cart. */
export async function lapseCurrentIfExpired(
  deps: Deps,
  { user_id }: Principal,
): Promise<Order | undefined> {
  const { orders, now } = deps
  const current = await orders.findCurrentCart(user_id)
  if (!current || !isLapsed(current, now())) return current
  await lapseIfExpired(deps, current)
  return orders.findCurrentCart(user_id)
}
