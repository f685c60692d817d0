import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import { isLapsed } from '../orders/orders.ts'
import type { Attempt } from '../payments/payments.ts'
import { creditLate, hasPriceRisen } from './credit-late-payment.ts'
import { creditInTime, creditReceived, refundExcess } from './credit-order.ts'
import { endUnpaidOrder } from './lapse-order.ts'
import { isSeenInFull } from './rules.ts'
import type { Deps } from './settlement.ts'

/** Applies the state of a payment, as its provider reports it, to the order. */
export async function settlePayment(
  deps: Deps,
  trx: Transaction,
  seenAttempt: Attempt,
  state: PaymentState,
): Promise<void> {
  const { payments, orders, removals, now } = deps
  const order = await orders.loadOrderToChange(trx, seenAttempt.order_id)
  // Another process may have settled this payment while this one waited for the lock.
  const payment = await payments.reloadPayment(trx, seenAttempt)
  const { card_fingerprint } = state
  const isPaid = state.payments.length > 0
  // The order of another account: a removed person may pay for it with the same card.
  const isBarred =
    card_fingerprint !== undefined &&
    isPaid &&
    (await removals.checkCard(trx, order.user_id, card_fingerprint))
  const isOfThisRound = order.round === payment.round
  const isPending = isOfThisRound && order.status === 'PendingPayment'
  const isHeld = isPending && !isLapsed(order, now())
  // Money that vanished, such as a replaced transaction, counts only when it is seen again.
  const attempt = await payments.setSeenInHold(
    trx,
    payment.id,
    (isHeld || payment.seen_in_hold) && isSeenInFull(payment, state),
  )
  // Money that arrived during the hold buys, even if this payment brings more only now.
  const isCovered =
    isPending && !isHeld && !isBarred && (await creditReceived(deps, trx, order, null))
  if (isCovered || (isOfThisRound && order.status === 'Paid')) {
    return refundExcess(deps, trx, order, await payments.bookPayment(trx, attempt, order.id, state))
  }
  if (isPending) {
    const isLate = !isHeld && !attempt.seen_in_hold && state.seen_in_cents > 0
    const isTooLate = isLate && (await hasPriceRisen(deps, trx, order))
    if (!isTooLate && !isBarred && (await creditInTime(deps, trx, order, attempt, state))) return
    await endUnpaidOrder(deps, trx, order)
  }
  await creditLate(deps, trx, attempt, state, isBarred)
}
