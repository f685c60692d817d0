import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { holdCaller, type Principal } from '../../operations/access/index.ts'
import {
  type DisplayOrder,
  notPaid,
  type Order,
  orderNumber,
  unknownOrder,
} from '../orders/orders.ts'
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
    // Before the order, as a revocation does.
    await holdCaller(trx, caller)
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
    const buyer = await accounts.loadAccount(caller.user_id, trx)
    const sentence = rules.requestedSentence(orderNumber(order))
    const about = { told: 'refund', order_id: id } as const
    await accounts.notifyOwner(trx, buyer, 'A refund was requested', sentence, about)
  })
  return orders.showOrder(id)
}

/** A thief may have made the requests; the owner can request again. */
export async function closeRequests(deps: Deps, trx: Transaction, user_id: string): Promise<void> {
  for (const order of await deps.orders.findOpenRequests(trx, user_id)) {
    await closeRequest(deps, trx, order, null, rules.revokedReason)
  }
}

export async function declineRequest(
  deps: Deps,
  caller: Principal,
  id: string,
  reason: string,
): Promise<DisplayOrder> {
  const { db, orders } = deps
  await transact(db, async (trx) => {
    const order = await orders.loadOrderToChange(trx, id)
    if (!rules.hasOpenRequest(order)) throw rules.notAsked()
    await closeRequest(deps, trx, order, caller.user_id, reason)
  })
  return orders.showOrder(id, true)
}

/** The buyer is emailed the reason. */
async function closeRequest(
  { orders, now, audit, accounts, notifications }: Deps,
  trx: Transaction,
  order: Order,
  actor_id: string | null,
  reason: string,
) {
  const { id, user_id } = order
  await orders.updateOrder(trx, id, { refund_answered_at: now(), refund_declined: reason })
  const entry = { actor_id, subject_id: user_id, details: { order_id: id, reason } }
  await audit.writeEntry(trx, 'order.refund_declined', entry)
  const buyer = await accounts.findAccount(user_id, trx)
  if (!buyer?.email) return
  await notifications.queueMail(trx, {
    to: buyer.email,
    user_id,
    page: `/orders/${id}`,
    template: 'refund_declined',
    params: { order_number: orderNumber(order), reason },
  })
}
