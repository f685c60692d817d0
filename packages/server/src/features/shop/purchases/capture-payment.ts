import { transactOutsideRequest } from '../../../platform/database/database.ts'
import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import { type CloseReason, isLapsed } from '../orders/orders.ts'
import { mailRefusedCard } from './mails.ts'
import * as payments from './payment-rules.ts'
import { hasOrderRisen } from './price-order.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'

type Outcome = { state: PaymentState; close_reason: CloseReason | null }

/**
 * Captures an authorized payment, and returns its new state. If it cannot buy the order, it is
 * released instead: the card is never charged.
 */
export async function captureOrRelease(
  deps: Deps,
  attempt: Attempt,
  state: PaymentState,
): Promise<Outcome> {
  const { db, gateways } = deps
  const { reference } = attempt
  const { authorization } = state
  if (!authorization || !gateways.card || reference === null) return { state, close_reason: null }
  const close_reason = await transactOutsideRequest(db, (trx) =>
    decideCapture(deps, trx, attempt, state),
  )
  await (close_reason ? gateways.card.release(authorization) : gateways.card.capture(authorization))
  return { state: await gateways.card.look(reference), close_reason }
}

/** Decides once: a retry after a lost response of the provider neither emails nor audits again. */
async function decideCapture(
  deps: Deps,
  trx: Transaction,
  attempt: Attempt,
  state: PaymentState,
): Promise<CloseReason | null> {
  const { audit, now } = deps
  const { id, order_id, user_id } = attempt
  // Lock order: the check locks the order before the attempt changes.
  const close_reason = await checkCapture(deps, trx, attempt, state)
  if (close_reason) {
    if (await attempts.setCloseReason(trx, id, close_reason)) {
      await audit.writeEntry(trx, 'payment.released', {
        actor_id: null,
        subject_id: user_id,
        details: { order_id, attempt_id: id, reason: close_reason },
      })
    }
    return close_reason
  }
  // Other authorizations of this checkout are released from now on.
  await attempts.saveState(trx, id, { seen_at: now(), isOver: false })
  return null
}

/** Why an authorized payment cannot buy its order; null if it can. */
async function checkCapture(
  deps: Deps,
  trx: Transaction,
  authorized: Attempt,
  { card_fingerprint }: PaymentState,
): Promise<CloseReason | null> {
  const { accounts, now, orders, removals } = deps
  const order = await orders.loadToChange(trx, authorized.order_id)
  // Another checkout may have closed it while this process waited for the lock.
  const attempt = payments.attemptOf(order, authorized)
  if (attempt.close_reason) return attempt.close_reason
  const buyer = await accounts.findAccount(order.user_id, trx)
  if (!buyer || buyer.deleted_at || (await removals.isRemoved(trx, buyer))) return 'removed_buyer'
  if (card_fingerprint !== undefined && (await removals.isCardBarred(trx, card_fingerprint))) {
    await mailRefusedCard(deps, trx, order, 0)
    return 'barred_card'
  }
  const isPending = order.status === 'PendingPayment' && order.round === attempt.round
  if (!isPending || attempt.status !== 'open') return 'closed_order'
  if (payments.hasOtherCapture(order, attempt)) return 'closed_order'
  const isLate = isLapsed(order, now()) && !attempt.seen_in_hold
  return isLate && (await hasOrderRisen(deps, trx, order)) ? 'risen_price' : null
}
