import { transact, transactApart } from '../../platform/database/database.ts'
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

/** Finds how disputes ended that no event told of. */
export async function reviewAllDisputes({ ledger, db }: Deps): Promise<void> {
  for (const id of await ledger.disputedAttempts()) {
    await transact(db, (trx) => queueDispute(trx, id))
  }
}
