import { undoUnless } from '../../../platform/database/savepoint.ts'
import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import { type GrantedBy, type LoadedOrder, shortfallForgiven, totalOf } from '../orders/orders.ts'
import { type Attempt, isOver } from '../payments/payments.ts'
import { isEnough, largestExcess, settlementDeadline } from './rules.ts'
import type { Deps } from './settlement.ts'

/** Refunds overpayments. Large amounts in cryptocurrency are left to operators. */
export async function refundExcess(
  { ledger }: Deps,
  trx: Transaction,
  paidOrder: LoadedOrder,
  amount_in_cents: number,
) {
  if (amount_in_cents <= 0) return
  await ledger.bookRefund(trx, {
    order_id: paidOrder.id,
    amount_in_cents,
    actor_id: null,
    kind: 'misc_refund',
    reason: 'overpayment',
    automatic_up_to: largestExcess(totalOf(paidOrder.items)),
  })
}

/** Fulfils the order if enough was paid for it. */
export async function grantIfPaid(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  by: GrantedBy = {},
): Promise<'granted' | 'gone' | 'short'> {
  const { orders, ledger } = deps
  const sums = await orders.loadSums(trx, pending.id)
  const receivedSum = sums.received - sums.disputed
  const total = totalOf(pending.items)
  const short = Math.max(0, total - receivedSum)
  // The tolerance of cryptocurrency is for money that came that way, whatever is chosen now.
  const provider = short > 0 && (await ledger.hasCoins(trx, pending.id)) ? 'crypto' : 'card'
  if (short > shortfallForgiven(total, provider)) return 'short'
  // The buyer's bank may reverse disputed money, so it grants no ids.
  if (await ledger.isDisputed(trx, pending.id)) return 'short'
  if (short > 0) {
    await ledger.bookEntry(trx, {
      order_id: pending.id,
      attempt_id: null,
      kind: 'write_off',
      amount_in_cents: short,
      provider: 'write_off',
      reference: pending.id,
      reason: null,
      actor_id: null,
    })
  }
  if (!(await orders.fulfilOrder(trx, pending, by))) return 'gone'
  await refundExcess(deps, trx, pending, receivedSum - total)
  return 'granted'
}

/**
 * Fulfils an order whose received money covers its total. Without any money it waits for its
 * checkout with the method Free.
 */
async function grantIfCovered(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  by: GrantedBy = {},
) {
  const { received } = await deps.orders.loadSums(trx, pending.id)
  return received > 0 ? grantIfPaid(deps, trx, pending, by) : 'short'
}

/**
 * After a code or another change of the total: returns whether the money that arrived before buys
 * the order.
 */
export const creditReceived = (
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  actor_id: string | null,
): Promise<boolean> =>
  undoUnless(
    trx,
    async () => (await grantIfCovered(deps, trx, pending, { actor_id })) === 'granted',
  )

export function creditInTime(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  attempt: Attempt,
  state: PaymentState,
) {
  const { payments } = deps
  return undoUnless(trx, async () => {
    await payments.bookPayment(trx, attempt, pending.id, state)
    const attempt_id = isOver(state) ? attempt.id : undefined
    const outcome = await grantIfCovered(deps, trx, pending, { attempt_id })
    if (outcome === 'short') await waitForMoney(deps, trx, pending, attempt, state)
    return outcome !== 'gone'
  })
}

/** After cash, an override or a free checkout; returns false if an item is no longer available. */
export async function creditByHand(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  actor_id: string,
): Promise<boolean> {
  const { orders } = deps
  const outcome = await grantIfPaid(deps, trx, pending, { actor_id })
  if (outcome === 'short') await orders.holdOrderUntil(trx, pending, settlementDeadline(pending))
  return outcome !== 'gone'
}

/** Extends the hold while the whole price is pending, and shortens it once the payment fails. */
async function waitForMoney(
  { orders, payments, now }: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  { id, provider }: Attempt,
  { seen_in_cents, payments: arrived }: PaymentState,
) {
  const { received } = await orders.loadSums(trx, pending.id)
  const total = totalOf(pending.items)
  const thisWay = arrived.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)
  const otherWays = Math.max(0, received - thisWay)
  if (isEnough(otherWays + seen_in_cents, total, provider)) {
    return orders.holdOrderUntil(trx, pending, settlementDeadline(pending))
  }
  // Another attempt may still bring the rest.
  if (otherWays > 0 || (await payments.isUnderWay(trx, pending, id))) return
  await orders.holdOrderUntil(trx, pending, pending.held_until ?? now())
}
