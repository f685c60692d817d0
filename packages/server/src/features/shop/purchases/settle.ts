import { undoUnless } from '../../../platform/database/savepoint.ts'
import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import { isLapsed, type LoadedOrder, totalOf } from '../orders/orders.ts'
import { isUnderWay, reloadPayment } from './attempts.ts'
import { endUnpaidOrder } from './end-unpaid.ts'
import { bookPayment, creditReceived, grantIfCovered, refundExcess } from './grant.ts'
import { holdOrderUntil } from './hold-items.ts'
import { creditLate } from './late-money.ts'
import { hasOrderRisen } from './price-order.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'
import * as rules from './rules.ts'

/** Applies the state of a payment, as its provider reports it, to the order. */
export async function settlePayment(
  deps: Deps,
  trx: Transaction,
  seenAttempt: Attempt,
  state: PaymentState,
): Promise<void> {
  const { orders, removals, now } = deps
  const order = await orders.loadOrderToChange(trx, seenAttempt.order_id)
  // Another process may have settled this payment while this one waited for the lock.
  const payment = await reloadPayment(trx, seenAttempt)
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
  const attempt = await attempts.setSeenInHold(
    trx,
    payment.id,
    (isHeld || payment.seen_in_hold) && rules.isSeenInFull(payment, state),
  )
  // Money that arrived during the hold buys, even if this payment brings more only now.
  const isCovered =
    isPending && !isHeld && !isBarred && (await creditReceived(deps, trx, order, null))
  if (isCovered || (isOfThisRound && order.status === 'Paid')) {
    return refundExcess(deps, trx, order, await bookPayment(deps, trx, attempt, order.id, state))
  }
  if (isPending) {
    const isLate = !isHeld && !attempt.seen_in_hold && state.seen_in_cents > 0
    const isTooLate = isLate && (await hasOrderRisen(deps, trx, order))
    if (!isTooLate && !isBarred && (await creditInTime(deps, trx, order, attempt, state))) return
    await endUnpaidOrder(deps, trx, order)
  }
  await creditLate(deps, trx, attempt, state, isBarred)
}

function creditInTime(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  attempt: Attempt,
  state: PaymentState,
) {
  return undoUnless(trx, async () => {
    await bookPayment(deps, trx, attempt, pending.id, state)
    const attempt_id = rules.isOver(state) ? attempt.id : undefined
    const outcome = await grantIfCovered(deps, trx, pending, { attempt_id })
    if (outcome === 'short') await waitForMoney(deps, trx, pending, attempt, state)
    return outcome !== 'gone'
  })
}

/** Extends the hold while the whole price is pending, and shortens it once the payment fails. */
async function waitForMoney(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  { id, provider }: Attempt,
  { seen_in_cents, payments: arrived }: PaymentState,
) {
  const { orders, now } = deps
  const { received } = await orders.loadSums(trx, pending.id)
  const total = totalOf(pending.items)
  const thisWay = arrived.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)
  const otherWays = Math.max(0, received - thisWay)
  if (rules.isEnough(otherWays + seen_in_cents, total, provider)) {
    return holdOrderUntil(deps, trx, pending, rules.settlementDeadline(pending))
  }
  // Another attempt may still bring the rest.
  if (otherWays > 0 || (await isUnderWay(trx, pending, id))) return
  await holdOrderUntil(deps, trx, pending, pending.held_until ?? now())
}
