import { transact } from '../../../platform/database/database.ts'
import type { Deps } from './events.ts'
import { deleteEvents, findLastExpired } from './repository.ts'
import { startOfRetention } from './rules.ts'

const deletedAtOnce = 1_000

/** Deletes events after 30 days, in batches. Earlier cursors are then refused. */
export async function purgeEvents({ db, now }: Deps): Promise<void> {
  for (;;) {
    const until = await findLastExpired(db, startOfRetention(now()), deletedAtOnce)
    if (until === undefined) return
    await transact(db, (trx) => deleteEvents(trx, until))
  }
}
