import { transactOutsideRequest } from '../../../platform/database/database.ts'
import type { Deps } from './deps.ts'
import * as repository from './repository.ts'

const eventsAtOnce = 200

/**
 * Makes the deliveries of numbered events, in the order of their numbers. The progress is written in
 * the same transaction, so a killed process neither loses an event nor queues it twice.
 */
export async function queueDeliveries({ db, now }: Deps): Promise<void> {
  for (;;) {
    const isDone = await transactOutsideRequest(db, async (trx) => {
      const after = await repository.lockProgress(trx)
      if (after === undefined) return true
      const until = await repository.findBatchEnd(trx, after, eventsAtOnce)
      if (until === undefined) return true
      await repository.queueEvents(trx, { after, until }, now())
      await repository.setProgress(trx, until)
      return false
    })
    if (isDone) return
  }
}
