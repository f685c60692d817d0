import { transact, transactOutsideRequest } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Transaction } from '../../../tables.ts'
import { isLapsed, type Order, orderNumber } from '../orders/orders.ts'
import type { Attempt } from '../payments/payments.ts'
import { creditReceived } from './credit-order.ts'
import { orderCancelled } from './mails.ts'
import { pendingPayment } from './rules.ts'
import type { Deps } from './settlement.ts'

const sweptPerRun = 200

export async function notifyCancellation(
  { accounts, notifications }: Deps,
  trx: Transaction,
  cancelled: Order,
  cents: number,
) {
  // The bank informs the buyer about money that it returned.
  if (cents === 0) return
  const user = await accounts.findAccount(cancelled.user_id, trx)
  if (!user?.email) return
  await notifications.queueMail(trx, {
    to: user.email,
    user_id: user.id,
    page: `/orders/${cancelled.id}`,
    kind: 'order_cancelled',
    letter: orderCancelled({ order_number: orderNumber(cancelled), amount_in_cents: cents }),
  })
}

/**
 * Turns a lapsed checkout into a cart; if a part was paid, cancels the order and refunds that part.
 */
export async function endUnpaidOrder(deps: Deps, trx: Transaction, pending: Order): Promise<void> {
  const { orders } = deps
  const { received } = await orders.loadSums(trx, pending.id)
  if (received === 0) return orders.returnToDraft(trx, pending)
  const refundCount = await orders.cancelOrder(trx, pending, 'it was not fully paid in time')
  await notifyCancellation(deps, trx, pending, refundCount)
}

export function endPaymentAtProvider(deps: Deps, id: string): Promise<Attempt | undefined> {
  const { log } = deps
  return endOpenPayment(deps, id).catch((error) => {
    if (error instanceof ServiceError) throw error
    // The provider refuses to end it: a job retries, and late money is handled.
    log.warn({ order: id, err: error }, 'A payment could not be ended yet')
    return undefined
  })
}

export async function lapseOrder(deps: Deps, id: string): Promise<void> {
  const { orders, now, log, db } = deps
  const foundOrder = await orders.findOrder(id)
  if (!foundOrder || !isLapsed(foundOrder, now())) return
  await endOpenPayment(deps, id).catch((error) => {
    // The ids become available anyway; a job retries, and late money is handled.
    log.warn({ order: id, err: error }, 'A payment could not be ended yet')
  })
  await transactOutsideRequest(db, async (trx) => {
    const current = await orders.loadOrderToChange(trx, id)
    if (!isLapsed(current, now())) return
    if (!(await creditReceived(deps, trx, current, null))) await endUnpaidOrder(deps, trx, current)
  })
}

export async function sweepLapsedOrders(deps: Deps): Promise<void> {
  const { orders, log } = deps
  for (const { id } of await orders.findLapsedOrders(sweptPerRun)) {
    await lapseOrder(deps, id).catch((error) => {
      // One failure must not stop the others.
      log.error({ order: id, err: error }, 'A checkout could not be ended')
    })
  }
  await orders.forgetHoldTimes()
}

/**
 * Turns a checkout back into a cart, unless money for it is pending. Returns false if it is no
 * checkout.
 */
export async function abandonCheckout(deps: Deps, id: string): Promise<boolean> {
  const { db, orders, payments } = deps
  await endPaymentAtProvider(deps, id)
  return transact(db, async (trx) => {
    const current = await orders.loadOrderToChange(trx, id)
    if (current.status !== 'PendingPayment') return false
    const { received } = await orders.loadSums(trx, id)
    if (received > 0 || (await payments.isUnderWay(trx, current))) throw pendingPayment()
    await orders.returnToDraft(trx, current)
    return true
  })
}

/** Checks the provider first, so that money of the last moment counts. */
async function endOpenPayment({ payments, db }: Deps, id: string): Promise<Attempt | undefined> {
  const attempt = (await payments.findOpenPayments(db, [id])).get(id)
  if (attempt) await payments.endPayment(attempt)
  return attempt
}
