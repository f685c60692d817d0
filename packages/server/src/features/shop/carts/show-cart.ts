import type { Principal } from '../../operations/access/index.ts'
import type { DisplayOrder } from '../orders/index.ts'
import { changeCart } from './change-cart.ts'
import type { Deps } from './deps.ts'
import { healCurrentCart } from './heal-cart.ts'

/** Whether somebody is about to buy something. */
export async function hasItems({ orders, db }: Deps, user_id: string): Promise<boolean> {
  const current = await orders.findCurrent(user_id)
  return current !== undefined && (await orders.itemsOf(db, current.id)).length > 0
}

export async function showCart(deps: Deps, caller: Principal): Promise<DisplayOrder> {
  const { orders } = deps
  await healCurrentCart(deps, caller)
  const current = await orders.findCurrent(caller.user_id)
  return current ? orders.show(current.id) : changeCart(deps, caller, async () => {})
}
