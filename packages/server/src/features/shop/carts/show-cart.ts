import type { Principal } from '../../operations/access/index.ts'
import type { DisplayOrder } from '../orders/index.ts'
import { changeCart } from './change-cart.ts'
import type { Deps } from './deps.ts'
import { lapseCurrentIfExpired } from './lapse-expired-cart.ts'

export async function hasItems({ orders, db }: Deps, user_id: string): Promise<boolean> {
  const current = await orders.findCurrentCart(user_id)
  return current !== undefined && (await orders.loadItems(db, current.id)).length > 0
}

export async function showCart(deps: Deps, caller: Principal): Promise<DisplayOrder> {
  const { orders } = deps
  const current = await lapseCurrentIfExpired(deps, caller)
  return current ? orders.showOrder(current.id) : changeCart(deps, caller, async () => {})
}
