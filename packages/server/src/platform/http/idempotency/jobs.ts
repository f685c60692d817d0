import type { Kysely } from 'kysely'
import type { JobModule } from '../../jobs/worker.ts'
import { purge, type Tables } from './repository.ts'

const keptForMs = 24 * 60 * 60 * 1_000

export function idempotencyJobs(db: Kysely<Tables>, now: () => Date): JobModule {
  return {
    tasks: {
      'idempotency.purge': () => purge(db, new Date(now().getTime() - keptForMs)),
    },
    schedules: [{ task: 'idempotency.purge', cron: '7 * * * *' }],
  }
}
