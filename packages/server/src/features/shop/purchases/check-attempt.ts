import { transactOutsideRequest } from '../../../platform/database/database.ts'
import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import { openObject, sealObject } from '../orders/orders.ts'
import { findGateway, requestOf, storeAttempt } from './attempts.ts'
import { captureOrRelease } from './capture-payment.ts'
import { type Gone, repeatWhenGone } from './grant.ts'
import * as payments from './payment-rules.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'
import { settlePayment } from './settle.ts'

/**
 * Asks the provider for the state of an attempt, and ends the provider's object of a closed one.
 */
export async function checkPayment(deps: Deps, id: string): Promise<void> {
  const { db, now } = deps
  const attempt = await attempts.findAttempt(db, id)
  if (!attempt) return
  const isOpen = attempt.status === 'open'
  const reference = attempt.reference ?? (isOpen ? undefined : await findLostPayment(deps, attempt))
  // The buyer never got the payment details, so no money can come.
  if (reference === undefined) {
    return void (await attempts.setSearch(db, id, payments.nextSearch(attempt, now())))
  }
  const gateway = findGateway(deps, attempt.provider)
  const state = await (isOpen ? gateway.look(reference) : gateway.cancel(reference))
  const captured = await captureOrRelease(deps, attempt, state)
  await concludePayment(deps, attempt, captured.state)
  await reviewRefunds(deps, attempt)
}

/** Stores the state that the provider reports, and settles the order. */
export async function concludePayment(
  deps: Deps,
  attempt: Attempt,
  state: PaymentState,
): Promise<void> {
  const { db, now, orders } = deps
  const { id } = attempt
  // The object belongs to another attempt.
  if (state.attempt_id !== null && state.attempt_id !== id) return
  const conclude = async (trx: Transaction, gone: Gone) => {
    const order = await orders.loadToChange(trx, attempt.order_id)
    // Another process may have settled this payment while this one waited for the lock.
    const current = payments.attemptOf(order, attempt)
    const seen_in_hold = payments.isSeenInHold(order, current, state, now())
    const seen = { ...current, seen_in_hold }
    const isEnded = await settlePayment(deps, trx, order, seen, state, gone)
    const isOver = payments.isOver(state) || payments.isSpent(current, state)
    const status = isEnded || isOver ? 'closed' : current.status
    await attempts.saveState(trx, id, {
      seen_at: state.seen_in_cents > 0 ? now() : null,
      seen_in_hold,
      isOver,
      check_at: payments.nextCheck({ ...current, status }, state, now()),
    })
    const object = status === 'open' ? openObject(deps, current) : undefined
    if (object && state.methods) {
      const sealedText = sealObject(deps, id, { ...object, methods: state.methods })
      await attempts.setSealed(trx, id, sealedText, JSON.stringify(state.methods))
    }
  }
  await repeatWhenGone((gone) => transactOutsideRequest(db, (trx) => conclude(trx, gone)))
}

/**
 * Finds the provider's object of an attempt whose process stopped before it stored the reference.
 */
async function findLostPayment(deps: Deps, attempt: Attempt): Promise<string | undefined> {
  const lostPayment = await findGateway(deps, attempt.provider).find(await requestOf(deps, attempt))
  return lostPayment && (await storeAttempt(deps, attempt, lostPayment)).reference
}

/** A bank may reject a refund days after it was sent. */
async function reviewRefunds(deps: Deps, { id: attempt_id, provider }: Attempt): Promise<void> {
  const { ledger, db } = deps
  for (const { id, reference } of await ledger.findSentRefund(attempt_id)) {
    if (reference === null || !(await findGateway(deps, provider).hasFailed(reference))) continue
    await transactOutsideRequest(db, (trx) => ledger.leaveToOperators(trx, id, 'done'))
  }
}

/** Ends the provider's object of an attempt, unless money is pending. */
export async function endPayment(deps: Deps, attempt: Attempt): Promise<void> {
  const { reference } = attempt
  if (reference === null) return
  const gateway = findGateway(deps, attempt.provider)
  const { state } = await captureOrRelease(deps, attempt, await gateway.look(reference))
  await concludePayment(
    deps,
    attempt,
    state.seen_in_cents > 0 ? state : await gateway.cancel(reference),
  )
}
