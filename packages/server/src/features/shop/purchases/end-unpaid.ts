import type { Transaction } from '../../../tables.ts'
import { sumsOf } from '../ledger/ledger.ts'
import type { LoadedOrder } from '../orders/orders.ts'
import { closePayments } from './attempts.ts'
import { notifyCancellation } from './mails.ts'
import type { Deps } from './purchases.ts'
import * as holds from './repository.ts'

/**
 * Turns a lapsed checkout into a cart; if a part was paid, cancels the order and refunds that part.
 */
export async function endUnpaidOrder(deps: Deps, trx: Transaction, pending: LoadedOrder) {
  if (sumsOf(pending).received === 0) return returnToDraft(deps, trx, pending)
  const refundCount = await cancelOrder(deps, trx, pending, 'it was not fully paid in time')
  await notifyCancellation(deps, trx, pending, refundCount)
}

export async function returnToDraft(deps: Deps, trx: Transaction, order: LoadedOrder) {
  const { orders } = deps
  await releaseHolds(deps, trx, order)
  await orders.removeDiscounts(trx, order.id)
  await orders.moveOrder(trx, order, 'Draft', { expires_at: null, method: null })
}

/** Releases everything that a checkout took: holds, codes and open payments. */
async function releaseHolds(deps: Deps, trx: Transaction, order: LoadedOrder): Promise<void> {
  const { emojiIds, lootboxSales, codes, now } = deps
  const { id } = order
  await emojiIds.releaseHolds(trx, id)
  await lootboxSales.releaseHolds(trx, id)
  await codes.releaseCodes(trx, id)
  await closePayments(deps, trx, order)
  await holds.endHoldTimes(trx, id, now())
}

/** Cancels an order and refunds the rest of its money; returns the amount. */
export async function cancelOrder(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  reason: string,
): Promise<number> {
  const { orders, ledger, audit } = deps
  await releaseHolds(deps, trx, order)
  const amount_in_cents = await ledger.findRefundable(trx, order.id)
  if (amount_in_cents > 0) {
    const refund = { order_id: order.id, amount_in_cents, reason, actor_id: null }
    await ledger.bookRefund(trx, { ...refund, kind: 'refund' })
  }
  await orders.moveOrder(trx, order, 'Cancelled', { is_current: false, expires_at: null })
  const details = { order_id: order.id, reason, amount_in_cents }
  const entry = { actor_id: null, subject_id: order.user_id, details }
  await audit.writeEntry(trx, 'order.cancelled', entry)
  return amount_in_cents
}
