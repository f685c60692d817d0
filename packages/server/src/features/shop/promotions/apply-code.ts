import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { DisplayOrder } from '../orders/index.ts'
import type { Deps } from './deps.ts'
import { adjustPayment, discountByCode } from './discount-order.ts'
import * as rules from './rules.ts'

/** A code takes something off the price of a cart that waits for its payment. */
export async function applyCode(
  deps: Deps,
  caller: Principal,
  code: string,
): Promise<DisplayOrder> {
  const { carts, orders, codes, db } = deps
  await carts.healCurrent(caller)
  const use = async (trx: Transaction) => {
    const order = await orders.loadCurrent(trx, caller.user_id)
    if (order.status !== 'PendingPayment') throw rules.onlyPending()
    await discountByCode(deps, trx, order, { code })
    return order.id
  }
  const id = await codes.attempt(caller.user_id, () => transact(db, use))
  await adjustPayment(deps, id)
  return orders.show(id)
}
