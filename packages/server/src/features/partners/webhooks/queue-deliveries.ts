import { transactOutsideRequest } from '../../../platform/database/database.ts'
import * as repository from './repository.ts'
import type { Deps } from './webhooks.ts'

const eventsAtOnce = 200

/**
 * Makes the deliveries of the next numbered events, in the order of their numbers; returns whether
 * more may follow. The progress is written in the same transaction, so a killed process neither
 * loses an event nor queues it twice.
 */
export async function queueDeliveries({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<boolean> {
  // Asked every few seconds, mostly in vain.
  if (!(await repository.hasUnqueued(db))) return false
  return transactOutsideRequest(db, async (trx) => {
    const after = await repository.lockProgress(trx)
    if (after === undefined) return false
    const until = await repository.findBatchEnd(trx, after, eventsAtOnce)
    if (until === undefined) return false
    await repository.queueEvents(trx, { after, until }, now())
    await repository.setProgress(trx, until)
    return until - after >= eventsAtOnce
  })
}
