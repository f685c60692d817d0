import type { Kysely } from 'kysely'
import type { JobModule } from '../../jobs/worker.ts'
import { dayMs } from '../../time.ts'
import { purge, type Tables } from './repository.ts'

const storedForMs = dayMs

export function idempotencyJobs(db: Kysely<Tables>, now: () => Date): JobModule {
  return {
    tasks: {
      'idempotency.purge': () => purge(db, new Date(now().getTime() - storedForMs)),
    },
    schedules: [{ task: 'idempotency.purge', cron: '7 * * * *' }],
  }
}
