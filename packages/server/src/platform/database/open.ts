import type { Kysely } from 'kysely'
import type pg from 'pg'
import { migrateJobs } from '../jobs/worker.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { createDatabase } from './database.ts'
import { startEmbeddedPostgres } from './embedded/server.ts'
import { createFence } from './fence.ts'
import { connectToBest, type Hosts, hostsOf } from './hosts.ts'
import { applyMissing, assertMigrated, withMigrationLock } from './migrate.ts'
import { type DatabaseMonitor, monitorDatabase, usualTimes } from './monitor.ts'
import { type Connection, createPool, queryLimitMs } from './pool.ts'
import { createPrepare, type Prepare } from './prepared.ts'
import { openReplica, type Replica } from './replica/replica.ts'
import { firstContactMs, waitForServer } from './server-version.ts'

export type OpenDatabase<Tables> = {
  db: Kysely<Tables>
  prepare: Prepare
  pools: { requests: pg.Pool; lookups: pg.Pool; jobs: pg.Pool }
  monitor: DatabaseMonitor
  /** The read replica for lookups, if there is one. */
  replica: Replica | undefined
  close(): Promise<void>
}

type Options = {
  database_url: string | undefined
  database_replica_url: string | undefined
  replica_max_behind_ms: number
  data_dir: string
  database_pool_size: number
  /** Multiplies the time limits of statements and of the monitor. */
  patience: number
  /** Runs in the transaction that creates the tables. */
  creationSql?: string | undefined
  log: Log
  metrics: Metrics
}

const lookupPoolSize = 3
const jobPoolSize = 6

/** The migrated and monitored database: at `database_url`, or embedded. */
export async function openDatabase<Tables>(options: Options): Promise<OpenDatabase<Tables>> {
  const { log, metrics, patience, database_pool_size: size } = options
  const limitMs = queryLimitMs * patience
  const server = await locateServer(options)
  const connectionTimeoutMillis = firstContactMs * patience
  const first = await waitForServer(server.hosts, connectionTimeoutMillis, log, async (found) => {
    const connection = { ...found.host, connectionTimeoutMillis }
    if (found.identity.is_standby) await assertMigrated(found.client)
    else await migrateAll(connection, log, options.creationSql)
  }).catch(async (error) => {
    await server.stop()
    throw error
  })
  const fence = createFence(server.hosts, first, log)
  const pools = {
    requests: createPool({ connection: fence, size, log, limitMs, name: 'requests' }),
    // A separate pool, so that slow queries never delay a lookup. A prepared plan lasts as long as
    // its connection: planned on an empty table, it would scan the whole table.
    lookups: createPool({
      connection: fence,
      size: lookupPoolSize,
      log,
      limitMs,
      name: 'lookups',
      settings: 'enable_seqscan=off',
    }),
    jobs: createPool({ connection: fence, size: jobPoolSize, log, limitMs, name: 'jobs' }),
  }
  for (const [name, pool] of Object.entries(pools)) metrics.watchPool(name, pool)
  const monitor = monitorDatabase(fence, log, {
    ...patientTimes(patience),
    maxBehindMs: options.replica_max_behind_ms,
  })
  const replica = options.database_replica_url
    ? openReplica({
        primary: fence,
        replicas: hostsOf(options.database_replica_url),
        maxBehindMs: options.replica_max_behind_ms,
        log,
        metrics,
      })
    : undefined
  return {
    db: createDatabase<Tables>(pools.requests, monitor),
    prepare: createPrepare(pools.lookups, monitor),
    pools,
    monitor,
    replica,
    async close() {
      await replica?.stop()
      await monitor.stop()
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
      await server.stop()
    },
  }
}

/** Many patient services on one machine poll seldom: the polls of idle ones add up. */
function patientTimes(patience: number) {
  const { everyMs, silenceMs, leaseMs } = usualTimes
  const pace = Math.min(patience, 10)
  return { everyMs: everyMs * pace, silenceMs: silenceMs * patience, leaseMs: leaseMs * pace }
}

type Server = { hosts: Hosts; stop(): Promise<void> }

export async function locateServer(
  options: Pick<Options, 'database_url' | 'data_dir' | 'log'>,
): Promise<Server> {
  const { database_url, data_dir, log } = options
  if (database_url !== undefined) return { hosts: hostsOf(database_url), stop: async () => {} }
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: data_dir, log })
  return { hosts: [connection], stop }
}

/** For commands: the primary, or else a standby. */
export async function locatePrimary(options: Parameters<typeof locateServer>[0]) {
  const { hosts, stop } = await locateServer(options)
  const [only, ...others] = hosts
  if (others.length === 0) return { connection: only, stop }
  const limits = { connectionTimeoutMillis: firstContactMs }
  const { client, host: connection } = await connectToBest(hosts, limits)
  await client.end()
  return { connection, stop }
}

/** Migrates tables and job queue; returns the applied migrations. */
export function migrateAll(
  connection: Connection,
  log: Log,
  creationSql?: string,
): Promise<string[]> {
  return withMigrationLock(connection, log, async (client) => {
    const applied = await applyMissing(client, creationSql)
    await migrateJobQueue(connection, log)
    if (applied.length > 0) log.info({ applied }, 'The database was migrated')
    return applied
  })
}

export async function migrateJobQueue(connection: Connection, log: Log): Promise<void> {
  const pool = createPool({ connection, size: 2, log, name: 'migrate', patient: true })
  try {
    await migrateJobs(pool, log)
  } finally {
    await pool.end()
  }
}
