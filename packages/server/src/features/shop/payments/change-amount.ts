import type { Transaction } from '../../../tables.ts'
import type { Deps } from './payments.ts'
import { findGateway } from './read-payments.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'

/** Returns false if the provider cannot change it; then a new attempt has to replace it. */
export function changeAmount(
  deps: Deps,
  attempt: Attempt,
  amount_in_cents: number,
): Promise<boolean> {
  return attempt.reference === null
    ? Promise.resolve(false)
    : findGateway(deps, attempt.provider).changeAmount(attempt.reference, amount_in_cents)
}

export const recordAmount = (
  trx: Transaction,
  id: string,
  amount_in_cents: number,
  snapshot: unknown,
) => attempts.setAmount(trx, id, amount_in_cents, JSON.stringify(snapshot))
