import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import { isLapsed } from '../orders/orders.ts'
import type { Attempt, CloseReason } from '../payments/payments.ts'
import { hasPriceRisen } from './credit-late-payment.ts'
import { mailRefusedCard } from './mail-refused-card.ts'
import type { Deps } from './settlement.ts'

/** Why an authorized payment cannot buy its order; null if it can. */
export async function checkCapture(
  deps: Deps,
  trx: Transaction,
  authorized: Attempt,
  { card_fingerprint }: PaymentState,
): Promise<CloseReason | null> {
  const { accounts, now, orders, payments, removals } = deps
  const order = await orders.loadOrderToChange(trx, authorized.order_id)
  // Another checkout may have closed it while this process waited for the lock.
  const attempt = await payments.reloadPayment(trx, authorized)
  if (attempt.close_reason) return attempt.close_reason
  const buyer = await accounts.findAccount(order.user_id, trx)
  if (!buyer || buyer.deleted_at || (await removals.isBarred(trx, buyer))) return 'removed_buyer'
  if (card_fingerprint !== undefined && (await removals.isCardBarred(trx, card_fingerprint))) {
    await mailRefusedCard(deps, trx, order, 0)
    return 'barred_card'
  }
  const isPending = order.status === 'PendingPayment' && order.round === attempt.round
  if (!isPending || attempt.status !== 'open') return 'closed_order'
  if (await payments.isOtherCaptured(trx, attempt)) return 'closed_order'
  const isLate = isLapsed(order, now()) && !attempt.seen_in_hold
  return isLate && (await hasPriceRisen(deps, trx, order)) ? 'risen_price' : null
}
