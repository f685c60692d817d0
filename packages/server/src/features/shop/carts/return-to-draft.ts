import type { Principal } from '../../operations/access/index.ts'
import type { DisplayOrder } from '../orders/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

export async function convertToDraft(
  { orders, settlement }: Deps,
  caller: Principal,
): Promise<DisplayOrder> {
  const current = await orders.findCurrentCart(caller.user_id)
  if (!current || !(await settlement.abandonCheckout(current.id))) throw rules.alreadyDraft()
  return orders.showOrder(current.id)
}
