import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import { assertNotOwn, notPaid, recordOrderEvent } from '../orders/orders.ts'
import { assertUndisputed } from './assert-undisputed.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'
import type { MiscRefund } from './schema.ts'

/** Refunds an amount; the ids stay with the buyer. */
export async function refundMisc(
  deps: Deps,
  caller: Principal,
  id: string,
  { amount_in_cents, reason }: MiscRefund,
) {
  const { db, accounts, orders, ledger, now, audit } = deps
  const actor_id = caller.user_id
  await transact(db, async (trx) => {
    const order = await orders.loadOrderToChange(trx, id)
    assertNotOwn(caller, order)
    if (order.status !== 'Paid') throw notPaid()
    await accounts.assertSettledMailbox(trx, order.user_id)
    await assertUndisputed(deps, trx, id)
    const refund = { order_id: id, amount_in_cents, reason, actor_id }
    await ledger.bookRefund(trx, { ...refund, kind: 'misc_refund' })
    await orders.updateOrder(trx, id, rules.answerTo(order, now()))
    const details = { order_id: id, amount_in_cents, reason }
    const entry = { actor_id, subject_id: order.user_id, details }
    await audit.writeEntry(trx, 'order.misc_refunded', entry)
    await recordOrderEvent(deps, trx, 'order.refunded', order, [])
  })
  return orders.showOrder(id, true)
}
