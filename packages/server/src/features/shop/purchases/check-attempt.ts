import { transactOutsideRequest } from '../../../platform/database/database.ts'
import type { PaymentState } from '../../../platform/payments/gateway.ts'
import { openObject, sealObject } from '../orders/orders.ts'
import { findGateway, requestOf, storeAttempt } from './attempts.ts'
import { captureOrRelease } from './capture-payment.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'
import * as rules from './rules.ts'
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
    return void (await attempts.setSearch(db, id, rules.nextSearch(attempt, now())))
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
  const { db, now } = deps
  // The object belongs to another attempt.
  if (state.attempt_id !== null && state.attempt_id !== attempt.id) return
  await transactOutsideRequest(db, async (trx) => {
    // Lock order: the order, then the attempt.
    await settlePayment(deps, trx, attempt, state)
    const seen_at = state.seen_in_cents > 0 ? now() : null
    const update = { seen_at, isOver: rules.isOver(state) || rules.isSpent(attempt, state) }
    const current = await attempts.noteState(trx, attempt.id, update)
    const object = openObject(deps, current)
    if (object && state.methods) {
      const sealedText = sealObject(deps, attempt.id, { ...object, methods: state.methods })
      await attempts.setSealed(trx, attempt.id, sealedText, JSON.stringify(state.methods))
    }
    await attempts.setCheck(trx, attempt.id, rules.nextCheck(current, state, now()))
  })
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
