import { transact } from '../../../platform/database/database.ts'
import type { Database } from '../../../tables.ts'
import { queueDeliveries } from './queue-deliveries.ts'
import * as repository from './repository.ts'
import * as rules from './rules.ts'

/**
 * Cancels the deliveries of a restored database until an operator releases them, also those of
 * events without deliveries: receivers may have got them. Returns how many.
 */
export async function parkDeliveries(db: Database): Promise<number> {
  while (await queueDeliveries({ db, now: () => new Date() }));
  return repository.cancelUndelivered(db, rules.parkedReason)
}

/** Queues parked deliveries again; returns how many. */
export const releaseDeliveries = (db: Database): Promise<number> =>
  transact(db, async (trx) => {
    const count = await repository.queueCancelled(trx, rules.parkedReason, new Date())
    await repository.announceDue(trx)
    return count
  })
