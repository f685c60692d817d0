import { transact, transactOutsideRequest } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Transaction } from '../../../tables.ts'
import { isLapsed } from '../orders/orders.ts'
import { endPayment } from './check-attempt.ts'
import { endUnpaidOrder, returnToDraft } from './end-unpaid.ts'
import { creditReceived, type Gone, repeatWhenGone } from './grant.ts'
import { forgetHoldTimes } from './hold-items.ts'
import * as payments from './payment-rules.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'

const sweptPerRun = 200

export async function lapseOrder(deps: Deps, id: string): Promise<void> {
  const { orders, now, log, db } = deps
  const foundOrder = await orders.findOrder(id)
  if (!foundOrder || !isLapsed(foundOrder, now())) return
  await endOpenPayment(deps, id).catch((error) => {
    // The ids become available anyway; a job retries, and late money is handled.
    log.warn({ order: id, err: error }, 'A payment could not be ended yet')
  })
  const lapse = async (trx: Transaction, gone: Gone) => {
    const current = await orders.loadToChange(trx, id)
    if (!isLapsed(current, now())) return
    if (!(await creditReceived(deps, trx, current, gone))) await endUnpaidOrder(deps, trx, current)
  }
  await repeatWhenGone((gone) => transactOutsideRequest(db, (trx) => lapse(trx, gone)))
}

export async function sweepLapsedOrders(deps: Deps): Promise<void> {
  const { orders, log } = deps
  for (const { id } of await orders.findLapsedOrders(sweptPerRun)) {
    await lapseOrder(deps, id).catch((error) => {
      // One failure must not stop the others.
      log.error({ order: id, err: error }, 'A checkout could not be ended')
    })
  }
  await forgetHoldTimes(deps)
}

/**
 * Turns a checkout back into a cart, unless money for it is pending. Returns false if it is no
 * checkout.
 */
export async function abandonCheckout(deps: Deps, id: string): Promise<boolean> {
  const { db, orders } = deps
  await endPaymentAtProvider(deps, id)
  return transact(db, async (trx) => {
    const current = await orders.loadToChange(trx, id)
    if (current.status !== 'PendingPayment') return false
    payments.assertUnpaid(current)
    await returnToDraft(deps, trx, current)
    return true
  })
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

/** Checks the provider first, so that money of the last moment counts. */
async function endOpenPayment(deps: Deps, id: string): Promise<Attempt | undefined> {
  const { db } = deps
  const attempt = await attempts.findOpen(db, id)
  if (attempt) await endPayment(deps, attempt)
  return attempt
}
