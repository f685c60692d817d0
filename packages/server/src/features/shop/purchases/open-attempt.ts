import { transactOutsideRequest } from '../../../platform/database/database.ts'
import { type PaymentObject, RefusedError } from '../../../platform/payments/gateway.ts'
import { openObject, sealObject } from '../orders/orders.ts'
import { findGateway, requestOf, storeAttempt } from './attempts.ts'
import { captureOrRelease } from './capture-payment.ts'
import { concludePayment } from './check-attempt.ts'
import * as payments from './payment-rules.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'

/** Creates the provider's object once. */
export async function openPayment(deps: Deps, attempt: Attempt): Promise<void> {
  const make = async () =>
    storeAttempt(
      deps,
      attempt,
      await findGateway(deps, attempt.provider).create(await requestOf(deps, attempt)),
    )
  const isSavedCard = attempt.payment_method !== null
  const object =
    openObject(deps, attempt) ??
    (await make().catch((error) => refuseCard(deps, attempt, isSavedCard, error)))
  if (isSavedCard) await chargeSavedCard(deps, attempt, object)
}

/** Charges a saved card. The order becomes Paid, or waits if the bank requires authentication. */
async function chargeSavedCard(deps: Deps, attempt: Attempt, object: PaymentObject): Promise<void> {
  const { db, gateways } = deps
  // Closed meanwhile: a job cancels its object.
  const current = await attempts.findAttempt(db, attempt.id)
  if (!gateways.card || current?.status !== 'open') return
  const { state, action_url, declined } = await gateways.card.charge({
    reference: object.reference,
    attempt_id: attempt.id,
    return_url: attempt.success_url ?? undefined,
  })
  if (action_url) {
    const sealedText = sealObject(deps, attempt.id, { ...object, checkout_url: action_url })
    await transactOutsideRequest(db, (trx) => attempts.setSealed(trx, attempt.id, sealedText, '[]'))
  }
  const { state: settled, close_reason } = await captureOrRelease(deps, current, state)
  await concludePayment(deps, attempt, declined ? { ...settled, is_declined: true } : settled)
  if (close_reason) throw payments.releasedCard(close_reason)
  if (declined) throw payments.cardDeclined(declined)
}

/** The card was deleted meanwhile, or its bank declines the payment. */
async function refuseCard(
  { db }: Deps,
  { id }: Attempt,
  isSavedCard: boolean,
  error: unknown,
): Promise<never> {
  if (!isSavedCard || !(error instanceof RefusedError)) throw error
  await transactOutsideRequest(db, (trx) =>
    attempts.saveState(trx, id, { seen_at: null, isOver: true }),
  )
  throw payments.cardDeclined('declined')
}
