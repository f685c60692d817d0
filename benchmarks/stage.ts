import { startEmbeddedPostgres } from '../packages/server/src/platform/database/embedded/server.ts'
import { createLog } from '../packages/server/src/platform/log/log.ts'
import { launchReady, newPlace } from '../packages/server/test/support/process.ts'

/** A PostgreSQL that keeps running, and the built API, which can be restarted on it. */
export async function setStage() {
  const place = await newPlace()
  const postgres = await startEmbeddedPostgres({
    dataDir: `${place.folder}/pg`,
    log: createLog('warn'),
  })
  const { host, user, database } = postgres.connection
  const DATABASE_URL = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
  const start = (env: Record<string, string> = {}) =>
    launchReady({
      ...place.env,
      DATABASE_URL,
      ROLES: 'api',
      SEED_DEMO: 'false',
      LOG_LEVEL: 'error',
      ...env,
    })

  return {
    connection: postgres.connection,
    port: Number(place.env.PORT),
    start,
    async stop({ child, exited }: Awaited<ReturnType<typeof start>>) {
      child.kill('SIGTERM')
      await exited
    },
    async clear() {
      await postgres.stop()
      await place.clear()
    },
  }
}
