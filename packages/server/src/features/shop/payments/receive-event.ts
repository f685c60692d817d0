import { transact } from '../../../platform/database/database.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Deps } from './payments.ts'
import { queueCheck, queueDispute } from './queue-checks.ts'
import { findGateway } from './read-payments.ts'
import type { Provider } from './repository.ts'
import * as attempts from './repository.ts'

/**
 * Verifies and stores an event; a job then loads the current state from the provider, because
 * events can be outdated.
 */
export async function receiveEvent(
  deps: Deps,
  provider: Provider,
  body: Buffer,
  headers: Record<string, string | string[] | undefined>,
): Promise<void> {
  const { db, now } = deps
  const event = findGateway(deps, provider).readEvent(body, headers)
  const { event_id, attempt_id, reference, isDispute } = event
  const about =
    (isUuid(attempt_id) && (await attempts.findAttempt(db, attempt_id))) ||
    (reference && (await attempts.findByReference(db, provider, reference))) ||
    (reference && (await findByPayment(deps, provider, reference))) ||
    (reference && isDispute && (await findDisputed(deps, reference))) ||
    undefined
  const id = about?.provider === provider ? about.id : null
  await transact(db, async (trx) => {
    const row = { provider, event_id, attempt_id: id, created_at: now() }
    if (!(await attempts.insertEvent(trx, row)) || !id) return
    await (isDispute ? queueDispute(trx, id) : queueCheck(trx, id))
  })
}

/** A dispute names the payment intent, while the attempt may only know a session. */
async function findByPayment({ ledger, db }: Deps, provider: Provider, reference: string) {
  const id = await ledger.findAttempt(provider, reference)
  return id ? attempts.findAttempt(db, id) : undefined
}

/** For a payment that is not in the ledger yet, the provider's metadata names the attempt. */
async function findDisputed({ gateways, db }: Deps, reference: string) {
  const id = await gateways.card?.attemptOf(reference)
  return isUuid(id) ? attempts.findAttempt(db, id) : undefined
}
