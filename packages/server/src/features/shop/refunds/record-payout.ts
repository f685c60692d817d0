import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import { assertNotOwn } from '../orders/orders.ts'
import { assertUndisputed } from './assert-undisputed.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/** An operator paid a refund by hand. */
export async function recordPayout(deps: Deps, caller: Principal, id: string, reference: string) {
  const { ledger, db, orders, payments, audit } = deps
  const refund = await ledger.findRefund(id)
  if (!refund) throw rules.unknownRefund()
  const order = await orders.findOrder(refund.order_id)
  if (order) assertNotOwn(caller, order)
  // A call with a lost response may have succeeded.
  if (await payments.recoverRefund(id)) throw rules.alreadySent()
  const rest = await transact(db, async (trx) => {
    assertNotOwn(caller, await orders.loadOrderToChange(trx, refund.order_id))
    await assertUndisputed(deps, trx, refund.order_id)
    if (refund.status !== 'by_hand') throw rules.notByHand()
    const amount_in_cents = await ledger.settleExcess(trx, id)
    if (amount_in_cents === 0) return 0
    if (!(await ledger.finishByHand(trx, id, reference))) throw rules.notByHand()
    const { order_id } = refund
    const details = { order_id, refund_id: id, amount_in_cents, reference }
    await audit.writeEntry(trx, 'order.refund_given', { actor_id: caller.user_id, details })
    return amount_in_cents
  })
  if (rest === 0) throw rules.notByHand()
  return (await ledger.findRefund(id)) ?? refund
}
