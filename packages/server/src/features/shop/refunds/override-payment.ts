import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import { assertNotOwn, type DisplayOrder, dueOf, notPending } from '../orders/orders.ts'
import { assertUndisputed } from './assert-undisputed.ts'
import type { Deps } from './deps.ts'

/** An operator marks the order as paid; the ledger records that the service paid. */
export async function overridePayment(
  deps: Deps,
  caller: Principal,
  id: string,
  reason: string,
): Promise<DisplayOrder> {
  const { db, orders, ledger, settlement, audit } = deps
  const actor_id = caller.user_id
  await transact(db, async (trx) => {
    const order = await orders.loadOrderToChange(trx, id)
    assertNotOwn(caller, order)
    if (order.status !== 'PendingPayment') throw notPending()
    await assertUndisputed(deps, trx, id)
    const due = dueOf(order.items, await orders.loadSums(trx, id))
    if (due > 0) {
      await ledger.bookEntry(trx, {
        order_id: id,
        attempt_id: null,
        kind: 'override',
        amount_in_cents: due,
        provider: 'override',
        reference: id,
        reason,
        actor_id,
      })
    }
    const isGranted = await settlement.creditByHand(trx, order, actor_id)
    if (!isGranted) throw notPending()
    const details = { order_id: id, amount_in_cents: due, reason }
    const entry = { actor_id, subject_id: order.user_id, details }
    await audit.writeEntry(trx, 'order.payment_overridden', entry)
  })
  return orders.showOrder(id, true)
}
