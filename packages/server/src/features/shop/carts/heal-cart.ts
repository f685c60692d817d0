import type { Principal } from '../../operations/access/index.ts'
import { isLapsed, type Order } from '../orders/index.ts'
import type { Deps } from './deps.ts'

/** Ends a checkout whose time is over, however long the job for it takes. */
export async function removeStaleItems(
  { now, settlement }: Deps,
  order: Order | undefined,
): Promise<void> {
  if (order && isLapsed(order, now())) await settlement.lapse(order.id)
}

export const healCurrentCart = async (deps: Deps, { user_id }: Principal) =>
  removeStaleItems(deps, await deps.orders.findCurrent(user_id))
