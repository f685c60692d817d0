import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { DisplayOrder } from '../orders/orders.ts'
import type { Deps } from './deps.ts'
import { adjustPayment, discountByCode } from './discount-order.ts'
import * as rules from './rules.ts'

/** The cart has to wait for its payment. */
export async function applyCode(
  deps: Deps,
  caller: Principal,
  code: string,
  network: string,
): Promise<DisplayOrder> {
  const { carts, orders, codes, db, settlement } = deps
  await carts.lapseCurrentIfExpired(caller)
  const use = async (trx: Transaction) => {
    const order = await orders.loadCurrentCart(trx, caller.user_id)
    if (order.status !== 'PendingPayment') throw rules.onlyPending()
    const cheaper = await discountByCode(deps, trx, order, { code })
    await settlement.creditReceived(trx, cheaper, caller.user_id)
    return order.id
  }
  const id = await codes.countAttempt({ user_id: caller.user_id, network }, () => transact(db, use))
  await adjustPayment(deps, id)
  return orders.showOrder(id)
}
