import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TestService } from './service.ts'

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
      await untilWaiting(service, () => open)
    }
  })
  return Promise.all(started)
}

/**
 * Waits until all pending requests wait for a lock. Some wait in an internal queue instead, which
 * is invisible: they get a short pause, and still run in order.
 */
async function untilWaiting(service: TestService, unanswered: () => number) {
  for (let waitMs = 0; waitMs < 5_000; waitMs += 10) {
    if ((await countWaiting(service)) >= unanswered()) return
    await sleep(10)
  }
}

async function countWaiting({ db }: TestService): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.waiting ?? 0
}
