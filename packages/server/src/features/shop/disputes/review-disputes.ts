import { transactOutsideRequest } from '../../../platform/database/database.ts'
import { dayMs } from '../../../platform/time.ts'
import type { Deps } from './disputes.ts'
import { recordDispute } from './record-dispute.ts'

/** Loads the disputes of an attempt from the provider, because events can be outdated. */
export async function reviewDisputes(deps: Deps, id: string): Promise<void> {
  const { ledger, gateways, db, purchases } = deps
  // A dispute may be reported before its payment.
  await purchases.checkPayment(id)
  for (const payment of await ledger.findPayments(id)) {
    if (payment.provider !== 'card' || !gateways.card) continue
    for (const report of await gateways.card.disputesOf(payment.reference)) {
      await transactOutsideRequest(db, (trx) => recordDispute(deps, trx, payment, report))
    }
  }
}

/** Finds disputes and their outcomes without events. */
export async function reviewAllDisputes(deps: Deps): Promise<void> {
  const { ledger, purchases } = deps
  await purchases.queueDisputes(await ledger.findDisputedAttempts())
  await purchases.queueDisputes(await findMissedDisputes(deps))
}

/**
 * A webhook may be lost, or not be set up for disputes. The period is fixed, so that no dispute
 * between two known ones is missed; known disputes cost no further call.
 */
const lookBackMs = 90 * dayMs

async function findMissedDisputes({ gateways, ledger, now }: Deps): Promise<string[]> {
  const since = new Date(now().getTime() - lookBackMs)
  const reports = (await gateways.card?.findDisputes(since)) ?? []
  const knownDisputes = await ledger.findKnownDisputes(reports.map(({ reference }) => reference))
  const missed = new Set<string>()
  for (const { payment, reference } of reports) {
    const attempt = knownDisputes.has(reference)
      ? undefined
      : await ledger.findAttempt('card', payment)
    if (attempt) missed.add(attempt)
  }
  return [...missed]
}
