import { transact } from '../../../platform/database/database.ts'
import { type Refund, RefusedError } from '../../../platform/payments/gateway.ts'
import { restOf } from '../ledger/ledger.ts'
import type { Deps } from './payments.ts'
import { findGateway } from './read-payments.ts'
import * as attempts from './repository.ts'

/** Checks which refunds were claimed and paid out. */
export async function reviewClaims({ gateways, ledger }: Deps): Promise<void> {
  if (!gateways.crypto) return
  let failure: unknown
  for (const { id, claim_url } of await ledger.findUnclaimedRefunds()) {
    const call = gateways.crypto.isPaidOut(claim_url ?? '')
    const isPaidOut = await call.catch((error) => {
      // A claim that the provider rejects or does not know must not stop the others.
      if (!(error instanceof RefusedError)) failure = error
      return false
    })
    await ledger.recordClaim(id, isPaidOut)
  }
  if (failure) throw failure
}

/** Sends a refund. Throws if a retry may succeed; the job then retries it. */
export async function sendRefund(deps: Deps, id: string): Promise<void> {
  const { ledger, db } = deps
  const refund = await ledger.findRefund(id)
  if (refund?.status !== 'queued') return
  // During a dispute the bank may return the money, so it must not be sent a second time.
  if (await ledger.isPaymentDisputed(refund.payment_id)) return
  const rest = await transact(db, (trx) => ledger.settleExcess(trx, id))
  if (rest === 0) return
  const payment = await ledger.findEntry(refund.payment_id)
  const attempt = payment.attempt_id && (await attempts.findAttempt(db, payment.attempt_id))
  if (!attempt || attempt.reference === null) throw new Error('The payment of a refund is missing')
  const call = findGateway(deps, attempt.provider).refund({
    reference: attempt.reference,
    payment: payment.reference,
    key: id,
    amount_in_cents: rest,
    paid_in_cents: payment.amount_in_cents,
  })
  const sentRefund = await call.catch((error) => {
    if (error instanceof RefusedError) return undefined
    throw error
  })
  if (sentRefund && !sentRefund.has_failed) return finishSent(deps, refund, sentRefund)
  await transact(db, (trx) => ledger.leaveToOperators(trx, id, 'queued'))
}

/**
 * Asks the provider for a refund before an operator pays it by hand: a call with a lost response
 * may have succeeded. Returns whether the provider pays, or the buyer has claimed it.
 */
export async function recoverRefund(deps: Deps, id: string): Promise<boolean> {
  const { ledger, db, gateways } = deps
  const refund = await ledger.findRefund(id)
  if (!refund || refund.status === 'done') return false
  const payment = await ledger.findEntry(refund.payment_id)
  const attempt = payment.attempt_id && (await attempts.findAttempt(db, payment.attempt_id))
  if (!attempt || !gateways[attempt.provider]) return false
  const gateway = findGateway(deps, attempt.provider)
  const call = gateway.findRefund({ payment: payment.reference, key: id })
  const providerRefund = await call.catch((error) => {
    // The provider does not know the payment.
    if (error instanceof RefusedError) return undefined
    throw error
  })
  if (!providerRefund || providerRefund.has_failed) return false
  if (refund.status === 'by_hand' && !providerRefund.is_taken) return false
  await finishSent(deps, refund, providerRefund)
  return true
}

async function finishSent(
  { ledger, db, refundListeners }: Deps,
  refund: { id: string; order_id: string; amount_in_cents: number; by_bank_in_cents: number },
  sentRefund: Refund,
): Promise<void> {
  const { id, order_id } = refund
  const { claim_url } = sentRefund
  await transact(db, async (trx) => {
    if (!(await ledger.finishRefund(trx, id, sentRefund))) return
    const amount_in_cents = restOf(refund)
    for (const listener of refundListeners) {
      await listener(trx, { id, order_id, amount_in_cents, claim_url })
    }
  })
}
