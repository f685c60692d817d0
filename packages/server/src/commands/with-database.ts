import type { Config } from '../config.ts'
import { connectTo } from '../platform/database/database.ts'
import { findRunningPostgres } from '../platform/database/embedded/server.ts'
import { locatePrimary } from '../platform/database/open.ts'
import type { Log } from '../platform/log/log.ts'
import type { Database, Tables } from '../tables.ts'

/** The service's database, whether the service runs or not. */
export async function findServer(config: Config, log: Log): ReturnType<typeof locatePrimary> {
  const runningConfig = config.database_url ? undefined : await findRunningPostgres(config.data_dir)
  return runningConfig
    ? { connection: runningConfig, stop: async () => {} }
    : locatePrimary({ ...config, log })
}

/** Connects to the service's database, whether the service runs or not. */
export async function withDatabase(
  config: Config,
  log: Log,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const server = await findServer(config, log)
  const { db, close } = connectTo<Tables>(server.connection, log)
  try {
    await work(db)
  } finally {
    await close()
    await server.stop()
  }
}
