import type { FastifyPluginAsync } from 'fastify'
import { emojiIdRoutes } from './features/emoji-ids/index.ts'
import type { DemoSeed } from './platform/demo/seed.ts'
import { idempotencyJobs } from './platform/http/idempotency/jobs.ts'
import type { JobModule } from './platform/jobs/worker.ts'
import type { Database, Tables } from './tables.ts'

type Parts = { db: Database; now: () => Date }

/** The composition root: every feature is built here, once, in the order of their dependence. */
export function createContainer({ db, now }: Parts): Container {
  return {
    db,
    now,
    apiRoutes: [emojiIdRoutes],
    jobs: [idempotencyJobs(db, now)],
    seeds: [],
  }
}

export type Container = {
  db: Database
  now: () => Date
  /** What the API site serves. */
  apiRoutes: FastifyPluginAsync[]
  jobs: JobModule[]
  seeds: DemoSeed<Tables>[]
}
