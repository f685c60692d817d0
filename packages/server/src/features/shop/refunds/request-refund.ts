import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import { type DisplayOrder, notPaid, orderNumber, unknownOrder } from '../orders/index.ts'
import { assertUndisputed } from './assert-undisputed.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/** A buyer requests a refund; operators decide. */
export async function requestRefund(
  deps: Deps,
  caller: Principal,
  id: string,
  reason: string,
): Promise<DisplayOrder> {
  const { accounts, orders, db, ledger, now, audit } = deps
  const order = await orders.showOrder(id)
  if (order.user_id !== caller.user_id) throw unknownOrder()
  if (order.status !== 'Paid') throw notPaid()
  if (order.dispute?.frozen) throw rules.disputedError()
  if (!order.eligible_for_refund) throw rules.nothingRefundable()
  await transact(db, async (trx) => {
    const { items } = await orders.loadOrderToChange(trx, id)
    await accounts.assertSettledMailbox(trx, caller.user_id)
    await assertUndisputed(deps, trx, id)
    // After a concurrent full refund the request would stay open for ever.
    const isUnrefunded = items.some(rules.isUnrefunded)
    const isLeft = (await ledger.findRefundable(trx, id)) > 0
    if (!isUnrefunded || !isLeft) throw rules.nothingRefundable()
    const requestRow = { refund_requested_at: now(), refund_request: reason }
    const unanswered = { refund_answered_at: null, refund_declined: null }
    await orders.updateOrder(trx, id, { ...requestRow, ...unanswered })
    const details = { order_id: id, reason }
    await audit.writeEntry(trx, 'order.refund_requested', { actor_id: caller.user_id, details })
  })
  return orders.showOrder(id)
}

/** The buyer is emailed the reason. */
export async function declineRequest(
  { db, orders, now, audit, accounts, notifications }: Deps,
  caller: Principal,
  id: string,
  reason: string,
): Promise<DisplayOrder> {
  await transact(db, async (trx) => {
    const order = await orders.loadOrderToChange(trx, id)
    if (!rules.hasOpenRequest(order)) throw rules.notAsked()
    await orders.updateOrder(trx, id, { refund_answered_at: now(), refund_declined: reason })
    const entry = { actor_id: caller.user_id, subject_id: order.user_id }
    await audit.writeEntry(trx, 'order.refund_declined', {
      ...entry,
      details: { order_id: id, reason },
    })
    const buyer = await accounts.findAccount(order.user_id, trx)
    if (!buyer?.email) return
    const params = { order_number: orderNumber(order), reason }
    await notifications.queueMail(trx, {
      to: buyer.email,
      user_id: buyer.id,
      page: `/orders/${id}`,
      template: 'refund_declined',
      params,
    })
  })
  return orders.showOrder(id, true)
}
