import { transact, transactApart } from '../../../platform/database/database.ts'
import { dayMs } from '../../../platform/time.ts'
import { checkPayment } from './check-payment.ts'
import type { Deps } from './deps.ts'
import { queueDispute } from './queue-checks.ts'

/** Asks what banks say of the payments of an attempt; whatever an event told may be old by now. */
export async function reviewDisputes(deps: Deps, id: string): Promise<void> {
  const { ledger, gateways, db, disputeListeners } = deps
  // A dispute may be heard of before its payment.
  await checkPayment(deps, id)
  for (const payment of await ledger.paymentsOf(id)) {
    if (payment.provider !== 'card' || !gateways.card) continue
    for (const told of await gateways.card.disputesOf(payment.reference)) {
      await transactApart(db, async (trx) => {
        for (const listener of disputeListeners) await listener(trx, payment, told)
      })
    }
  }
}

/** Finds disputes that no event told of, and how disputes ended. */
export async function reviewAllDisputes(deps: Deps): Promise<void> {
  const { ledger, db } = deps
  for (const id of await ledger.disputedAttempts()) {
    await transact(db, (trx) => queueDispute(trx, id))
  }
  for (const id of await findMissedDisputes(deps)) {
    await transact(db, (trx) => queueDispute(trx, id))
  }
}

/**
 * A webhook may be lost, or not be set up for disputes. The look back is fixed, so that nothing is
 * missed between two disputes that were heard of; what is known costs no further call.
 */
const lookBackMs = 90 * dayMs

async function findMissedDisputes({ gateways, ledger, now }: Deps): Promise<Set<string>> {
  const since = new Date(now().getTime() - lookBackMs)
  const told = (await gateways.card?.findDisputes(since)) ?? []
  const known = await ledger.knownDisputes(told.map(({ reference }) => reference))
  const missed = new Set<string>()
  for (const { payment, reference } of told) {
    const attempt = known.has(reference) ? undefined : await ledger.attemptOf('card', payment)
    if (attempt) missed.add(attempt)
  }
  return missed
}
