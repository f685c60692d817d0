import { sql } from 'kysely'
import type { TestService } from './service.ts'
import { waitUntil } from './wait.ts'

/**
 * Starts requests that lock the same user, each once the previous one waits for the user's row,
 * then releases the lock: a race that is rare otherwise happens every time.
 */
export async function runInLockOrder<Answer>(
  service: TestService,
  user_id: string,
  ...requests: (() => Promise<Answer>)[]
): Promise<Answer[]> {
  const started: Promise<Answer>[] = []
  let open = 0
  await service.db.transaction().execute(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute()
    for (const request of requests) {
      const pending = request()
      started.push(pending)
      open++
      const done = () => {
        open--
      }
      pending.then(done, done)
      await waitUntil(async () => {
        const waiting = await countWaiting(service)
        return waiting >= open || `${waiting} of ${open} requests wait for a lock.`
      })
    }
  })
  return Promise.all(started)
}

/** Counts the statements that wait for a lock. */
export async function countWaiting({ db }: TestService): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.waiting ?? 0
}
