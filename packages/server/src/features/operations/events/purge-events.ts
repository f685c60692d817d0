import { transact } from '../../../platform/database/database.ts'
import type { Database } from '../../../tables.ts'
import { deleteEvents, findLastExpired } from './repository.ts'
import { startOfRetention } from './rules.ts'

const deletedAtOnce = 1_000

/** Deletes events after 30 days, in batches. Earlier cursors are then refused. */
export async function purgeEvents(db: Database, at: Date): Promise<void> {
  for (;;) {
    const until = await findLastExpired(db, startOfRetention(at), deletedAtOnce)
    if (until === undefined) return
    await transact(db, (trx) => deleteEvents(trx, until))
  }
}
