import type { GatewayEvent } from '../../../platform/payments/gateway.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Provider } from '../orders/orders.ts'
import { checkTask, disputeTask, findGateway } from './attempts.ts'
import type { Deps } from './purchases.ts'
import * as attempts from './repository.ts'

const taskFor = { payment: checkTask, dispute: disputeTask, nothing: null }

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
  const { event_id, attempt_id, reference = null, about } = event
  const named = about === 'dispute' ? await findDisputed(deps, event) : attempt_id
  const row = { provider, event_id, created_at: now(), reference }
  await attempts.storeEvent(db, { ...row, named: isUuid(named) ? named : null }, taskFor[about])
}

/**
 * A dispute names the payment, while the attempt may only know a session. For a payment that is not
 * in the ledger yet, the provider's metadata names the attempt.
 */
async function findDisputed({ ledger, gateways }: Deps, { reference, attempt_id }: GatewayEvent) {
  if (isUuid(attempt_id) || reference === undefined) return attempt_id
  return (await ledger.findAttempt('card', reference)) ?? gateways.card?.attemptOf(reference)
}
