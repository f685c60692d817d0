import type { Transaction } from '../../../tables.ts'
import * as orders from './repository.ts'
import * as rules from './rules.ts'

/** An account with a pending order cannot be deleted. */
export async function refuseDeletionOfBuyer(trx: Transaction, user_id: string): Promise<void> {
  const [pending] = await orders.findPending(trx, user_id)
  if (pending) throw rules.pendingOrder()
}
