import type { Transaction } from '../../../tables.ts'
import { moveOrder } from './change-order.ts'
import { releaseHolds } from './draft-order.ts'
import type { Deps } from './orders.ts'
import type { Order } from './repository.ts'

/** Cancels an order and refunds the rest of its money; returns the amount. */
export async function cancelOrder(
  deps: Deps,
  trx: Transaction,
  order: Order,
  reason: string,
): Promise<number> {
  const { ledger, audit } = deps
  await releaseHolds(deps, trx, order)
  const amount_in_cents = await ledger.findRefundable(trx, order.id)
  if (amount_in_cents > 0) {
    const refund = { order_id: order.id, amount_in_cents, reason, actor_id: null }
    await ledger.bookRefund(trx, { ...refund, kind: 'refund' })
  }
  await moveOrder(deps, trx, order, 'Cancelled', { is_current: false, expires_at: null })
  const details = { order_id: order.id, reason, amount_in_cents }
  const entry = { actor_id: null, subject_id: order.user_id, details }
  await audit.writeEntry(trx, 'order.cancelled', entry)
  return amount_in_cents
}
