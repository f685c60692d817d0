import type { Principal } from '../../operations/access/index.ts'
import type { DisplayOrder } from '../orders/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/** A checkout becomes a cart again. */
export async function convertToDraft(
  { orders, settlement }: Deps,
  caller: Principal,
): Promise<DisplayOrder> {
  const current = await orders.findCurrent(caller.user_id)
  if (!current || !(await settlement.backToDraft(current.id))) throw rules.alreadyDraft()
  return orders.show(current.id)
}
