import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import { sumsOf } from '../ledger/ledger.ts'
import { isLapsed, isMoneySeen, type LoadedOrder, totalOf } from '../orders/orders.ts'
import { endUnpaidOrder } from './end-unpaid.ts'
import { bookPayment, creditReceived, type Gone, grantIfCovered, refundExcess } from './grant.ts'
import { holdOrderUntil } from './hold-items.ts'
import { creditLate } from './late-money.ts'
import * as payments from './payment-rules.ts'
import { hasOrderRisen } from './price-order.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'

/**
 * Applies the state of a payment, as its provider reports it, to the order. Returns whether the
 * order no longer waits for it.
 */
export async function settlePayment(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  attempt: Attempt,
  state: PaymentState,
  gone: Gone,
): Promise<boolean> {
  const { removals, now } = deps
  const { card_fingerprint } = state
  const isPaid = state.payments.length > 0
  // The order of another account: a removed person may pay for it with the same card.
  const isOfRemoved =
    card_fingerprint !== undefined &&
    isPaid &&
    (await removals.checkCard(trx, order.user_id, card_fingerprint))
  const isOfThisRound = order.round === attempt.round
  const isPending = isOfThisRound && order.status === 'PendingPayment'
  const isHeld = isPending && !isLapsed(order, now())
  // Money that arrived during the hold buys, even if this payment brings more only now.
  const isCovered =
    isPending && !isHeld && !isOfRemoved && (await creditReceived(deps, trx, order, gone))
  if (isCovered || (isOfThisRound && order.status === 'Paid')) {
    const { sum } = await bookPayment(deps, trx, attempt, order, state)
    await refundExcess(deps, trx, order, sum)
    return true
  }
  if (isPending) {
    const isLate = !isHeld && !attempt.seen_in_hold && state.seen_in_cents > 0
    const isTooLate = isLate && (await hasOrderRisen(deps, trx, order))
    if (!isTooLate && !isOfRemoved && !gone.includes('order')) {
      return creditInTime(deps, trx, order, attempt, state)
    }
    await endUnpaidOrder(deps, trx, order)
  }
  await creditLate(deps, trx, attempt, state, isOfRemoved, gone)
  return true
}

/** Returns whether the order is granted; else it waits for more money. */
async function creditInTime(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  attempt: Attempt,
  state: PaymentState,
): Promise<boolean> {
  const { order } = await bookPayment(deps, trx, attempt, pending, state)
  const attempt_id = payments.isOver(state) ? attempt.id : undefined
  if (await grantIfCovered(deps, trx, order, { attempt_id })) return true
  await waitForMoney(deps, trx, order, attempt, state)
  return false
}

/** Extends the hold while the whole price is pending, and shortens it once the payment fails. */
async function waitForMoney(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  { id, provider }: Attempt,
  { seen_in_cents, payments: arrived }: PaymentState,
) {
  const { now } = deps
  const total = totalOf(pending.items)
  const thisWay = arrived.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)
  const otherWays = Math.max(0, sumsOf(pending).received - thisWay)
  if (payments.isEnough(otherWays + seen_in_cents, total, provider)) {
    return holdOrderUntil(deps, trx, pending, payments.settlementDeadline(pending))
  }
  // Another attempt may still bring the rest.
  if (otherWays > 0 || isMoneySeen(pending, id)) return
  await holdOrderUntil(deps, trx, pending, pending.held_until ?? now())
}
