import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import { assertNotOwn, type DisplayOrder, dueOf, notPending } from '../orders/index.ts'
import { assertUndisputed } from './assert-undisputed.ts'
import type { Deps } from './deps.ts'

/** The service pays what is due. */
export async function overridePayment(
  deps: Deps,
  caller: Principal,
  id: string,
  reason: string,
): Promise<DisplayOrder> {
  const { db, orders, ledger, settlement, audit } = deps
  const actor_id = caller.user_id
  await transact(db, async (trx) => {
    const order = await orders.loadToChange(trx, id)
    assertNotOwn(caller, order)
    if (order.status !== 'PendingPayment') throw notPending()
    await assertUndisputed(deps, trx, id)
    const due = dueOf(await orders.itemsOf(trx, id), await orders.sumsOf(trx, id))
    if (due > 0) {
      await ledger.book(trx, {
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
    const noted = { actor_id, subject_id: order.user_id, details }
    await audit.note(trx, 'order.payment_overridden', noted)
  })
  return orders.show(id, true)
}
