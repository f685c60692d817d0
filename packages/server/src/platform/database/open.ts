import type { Kysely } from 'kysely'
import type pg from 'pg'
import { migrateJobs } from '../jobs/worker.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { createDatabase, giveUpWhenAway } from './database.ts'
import { startEmbeddedPostgres } from './embedded/server.ts'
import { migrate } from './migrate.ts'
import { type DatabaseMonitor, monitorDatabase } from './monitor.ts'
import { type Connection, createPool } from './pool.ts'
import { type Prepare, preparing } from './prepared.ts'
import { assertSupportedServer } from './server-version.ts'

export type OpenDatabase<Tables> = {
  db: Kysely<Tables>
  prepare: Prepare
  pools: { requests: pg.Pool; lookups: pg.Pool; jobs: pg.Pool }
  monitor: DatabaseMonitor
  close(): Promise<void>
}

type Options = {
  database_url: string | undefined
  data_dir: string
  database_pool_size: number
  log: Log
  metrics: Metrics
}

const lookupPoolSize = 3
const jobPoolSize = 6

/** The database, migrated and watched: the one at `database_url`, or one of our own. */
export async function openDatabase<Tables>(options: Options): Promise<OpenDatabase<Tables>> {
  const { log, metrics, database_pool_size: size } = options
  const server = await locateServer(options)
  const { connection } = server
  try {
    await assertSupportedServer(connection)
    await migrateAll(connection, log)
  } catch (error) {
    await server.stop()
    throw error
  }
  const pools = {
    requests: createPool({ connection, size, log, name: 'requests' }),
    // Its own, so that nothing slow ever stands in front of a lookup. A plan is kept for the life
    // of a connection: made while a table was empty, it would read the whole table for ever.
    lookups: createPool({
      ...{ connection, size: lookupPoolSize, log, name: 'lookups' },
      settings: 'enable_seqscan=off',
    }),
    jobs: createPool({ connection, size: jobPoolSize, log, name: 'jobs' }),
  }
  for (const [name, pool] of Object.entries(pools)) metrics.watchPool(name, pool)
  const monitor = monitorDatabase(connection, log)
  giveUpWhenAway(pools.requests, monitor)
  giveUpWhenAway(pools.lookups, monitor)
  return {
    db: createDatabase<Tables>(pools.requests, monitor),
    prepare: preparing(pools.lookups, monitor),
    pools,
    monitor,
    async close() {
      await monitor.stop()
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
      await server.stop()
    },
  }
}

type Server = { connection: Connection; stop(): Promise<void> }

export async function locateServer(
  options: Pick<Options, 'database_url' | 'data_dir' | 'log'>,
): Promise<Server> {
  const { database_url, data_dir, log } = options
  if (database_url === undefined) return startEmbeddedPostgres({ dataDir: data_dir, log })
  return { connection: { connectionString: database_url }, stop: async () => {} }
}

/** Brings tables and job queue up to date; `only` stops at the migrations an old backup knew. */
export async function migrateAll(
  connection: Connection,
  log: Log,
  only?: readonly string[],
): Promise<void> {
  const pool = createPool({ connection, size: 2, log, name: 'migrate' })
  try {
    const applied = await migrate(connection, () => migrateJobs(pool, log), only)
    if (applied.length > 0) log.info({ applied }, 'The database was migrated')
  } finally {
    await pool.end()
  }
}
