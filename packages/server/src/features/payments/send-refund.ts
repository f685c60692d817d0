import { transact } from '../../platform/database/database.ts'
import { RefusedError } from '../../platform/payments/gateway.ts'
import type { Deps } from './deps.ts'
import { findGateway } from './read-payments.ts'
import * as attempts from './repository.ts'

/** Asks which refunds were claimed and paid out since. */
export async function reviewClaims({ gateways, ledger }: Deps): Promise<void> {
  if (!gateways.crypto) return
  for (const { id, reference, amount_in_cents } of await ledger.unclaimed()) {
    const asked = gateways.crypto.isPaidOut(reference ?? '', amount_in_cents)
    const isPaidOut = await asked.catch((error) => {
      // The provider does not know it any more, or refuses to tell; the others are asked.
      if (error instanceof RefusedError) return false
      throw error
    })
    await ledger.noteClaim(id, isPaidOut)
  }
}

/** Gives money back. Throws while it makes sense to try again. */
export async function sendRefund(deps: Deps, id: string): Promise<void> {
  const { ledger, db, refundListeners } = deps
  const refund = await ledger.findRefund(id)
  if (refund?.status !== 'queued') return
  // The bank decides whether the buyer gets the money: until then it is not given a second time.
  if (await ledger.isPaymentDisputed(refund.payment_id)) return
  const payment = await ledger.find(refund.payment_id)
  const attempt = payment.attempt_id && (await attempts.findAttempt(db, payment.attempt_id))
  if (!attempt || attempt.reference === null) throw new Error('A refund lost its payment')
  const asked = findGateway(deps, attempt.provider).refund({
    reference: attempt.reference,
    payment: payment.reference,
    key: id,
    amount_in_cents: refund.amount_in_cents,
  })
  const sent = await asked.catch((error) => {
    if (error instanceof RefusedError) return undefined
    throw error
  })
  await transact(db, async (trx) => {
    if (!sent || sent.has_failed) return void (await ledger.leaveToPeople(trx, id, 'queued'))
    if (!(await ledger.finishRefund(trx, id, sent))) return
    const { order_id, amount_in_cents } = refund
    for (const listener of refundListeners) {
      await listener(trx, { id, order_id, amount_in_cents, claim_url: sent.claim_url })
    }
  })
}
