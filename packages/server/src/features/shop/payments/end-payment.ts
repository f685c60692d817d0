import type { Transaction } from '../../../tables.ts'
import { captureOrRelease } from './capture-payment.ts'
import { concludePayment } from './check-payment.ts'
import type { Deps } from './payments.ts'
import { inAMinute, queueChecks } from './queue-checks.ts'
import { findGateway } from './read-payments.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'

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

/**
 * Closes all attempts of an order. A job ends their objects at the provider, with retries; the object
 * of `over`, which was just checked, has ended.
 */
export async function closePayments(
  deps: Deps,
  trx: Transaction,
  order_id: string,
  over?: string,
): Promise<void> {
  const closed = await attempts.closeOf(trx, order_id, inAMinute(deps))
  await queueChecks(
    trx,
    closed.flatMap(({ id }) => (id === over ? [] : id)),
  )
}
