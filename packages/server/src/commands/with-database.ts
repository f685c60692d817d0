import type { Config } from '../config.ts'
import { connectTo } from '../platform/database/database.ts'
import { findRunningPostgres } from '../platform/database/embedded/server.ts'
import { locateServer } from '../platform/database/open.ts'
import type { Log } from '../platform/log/log.ts'
import type { Database, Tables } from '../tables.ts'

/** Connects to the service's database, whether the service runs or not. */
export async function withDatabase(
  config: Config,
  log: Log,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const runningConfig = config.database_url ? undefined : await findRunningPostgres(config.data_dir)
  const server = runningConfig
    ? { connection: runningConfig, stop: async () => {} }
    : await locateServer({ ...config, log })
  const { db, close } = connectTo<Tables>(server.connection, log)
  try {
    await work(db)
  } finally {
    await close()
    await server.stop()
  }
}
