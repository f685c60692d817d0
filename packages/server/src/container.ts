import type { FastifyPluginAsync } from 'fastify'
import type { Config } from './config.ts'
import { directorySeed } from './demo/directory.ts'
import { createEmojiIds, emojiIdRoutes } from './features/emoji-ids/index.ts'
import { createRecords, type Records, recordRoutes } from './features/records/index.ts'
import { createStats, statsJobs } from './features/stats/index.ts'
import { createStore, storeRoutes } from './features/store/index.ts'
import type { DatabaseMonitor } from './platform/database/monitor.ts'
import type { Prepare } from './platform/database/prepared.ts'
import type { DemoSeed } from './platform/demo/seed.ts'
import { idempotencyJobs } from './platform/http/idempotency/jobs.ts'
import type { JobModule } from './platform/jobs/worker.ts'
import type { Log } from './platform/log/log.ts'
import type { Database, Tables } from './tables.ts'

export type Parts = {
  config: Config
  db: Database
  prepare: Prepare
  monitor: DatabaseMonitor
  now: () => Date
  log: Log
}

/** The composition root: every feature is built here, once, in the order of their dependence. */
export function createContainer({ config, db, prepare, monitor, now, log }: Parts): Container {
  const emojiIds = createEmojiIds({ monitor })
  const stats = createStats({ db, now, log })
  const remembered = config.lookup_cache_ids
  const records = createRecords({ prepare, monitor, emojiIds, stats, now, remembered })
  const store = createStore({ db, records })

  const max_age = config.lookup_max_age
  const cacheControl = max_age > 0 ? `public, max-age=${max_age}` : 'public, no-cache'
  return {
    db,
    now,
    records,
    cacheControl,
    apiRoutes: [
      emojiIdRoutes,
      async (app) => void app.register(recordRoutes, { records, cacheControl }),
      async (app) => void app.register(storeRoutes, { store }),
    ],
    jobs: [idempotencyJobs(db, now), statsJobs(stats)],
    seeds: [directorySeed({ emojiIds, records, store })],
    stop: () => stats.stop(),
  }
}

export type Container = {
  db: Database
  now: () => Date
  records: Records
  /** How long others may keep a public lookup. */
  cacheControl: string
  /** What the API site serves. */
  apiRoutes: FastifyPluginAsync[]
  jobs: JobModule[]
  seeds: DemoSeed<Tables>[]
  /** Writes down what is still in memory. */
  stop(): Promise<void>
}
