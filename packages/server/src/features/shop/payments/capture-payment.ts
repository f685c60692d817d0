import { transactOutsideRequest } from '../../../platform/database/database.ts'
import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './payments.ts'
import type { Attempt, CloseReason } from './repository.ts'
import * as attempts from './repository.ts'

type Outcome = { state: PaymentState; close_reason: CloseReason | null }

/**
 * Captures an authorized payment, and returns its new state. If it cannot buy the order, it is
 * released instead: the card is never charged.
 */
export async function captureOrRelease(
  deps: Deps,
  attempt: Attempt,
  state: PaymentState,
): Promise<Outcome> {
  const { db, gateways } = deps
  const { reference } = attempt
  const { authorization } = state
  if (!authorization || !gateways.card || reference === null) return { state, close_reason: null }
  const close_reason = await transactOutsideRequest(db, (trx) =>
    decideCapture(deps, trx, attempt, state),
  )
  await (close_reason ? gateways.card.release(authorization) : gateways.card.capture(authorization))
  return { state: await gateways.card.look(reference), close_reason }
}

/** Decides once: a retry after a lost response of the provider neither emails nor audits again. */
async function decideCapture(
  { audit, captureChecks, now }: Deps,
  trx: Transaction,
  attempt: Attempt,
  state: PaymentState,
): Promise<CloseReason | null> {
  const { id, order_id, user_id } = attempt
  for (const check of captureChecks) {
    // Lock order: the check locks the order before the attempt changes.
    const close_reason = await check(trx, attempt, state)
    if (!close_reason) continue
    if (await attempts.setCloseReason(trx, id, close_reason)) {
      await audit.writeEntry(trx, 'payment.released', {
        actor_id: null,
        subject_id: user_id,
        details: { order_id, attempt_id: id, reason: close_reason },
      })
    }
    return close_reason
  }
  // Other authorizations of this checkout are released from now on.
  await attempts.noteState(trx, id, { seen_at: now(), isOver: false })
  return null
}

/** Whether another authorized payment of the same checkout is being captured, or was. */
export const isOtherCaptured = (trx: Transaction, attempt: Attempt): Promise<boolean> =>
  attempts.hasOtherCapture(trx, attempt)
