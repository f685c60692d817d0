import { readConfig } from '../packages/server/src/config.ts'
import { startEmbeddedPostgres } from '../packages/server/src/platform/database/embedded/server.ts'
import { createLog } from '../packages/server/src/platform/log/log.ts'
import { startService } from '../packages/server/src/service.ts'
import { launchReady, newPlace } from '../packages/server/test/support/process.ts'
import { routesOf } from '../packages/server/test/support/routes.ts'

/** A PostgreSQL that keeps running, and the built API, which can be restarted on it. */
export async function setStage() {
  const place = await newPlace()
  const postgres = await startEmbeddedPostgres({
    dataDir: `${place.folder}/pg`,
    log: createLog('warn'),
  })
  const { host, user, database } = postgres.connection
  const DATABASE_URL = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
  const envOf = (env: Record<string, string>) => ({
    ...place.env,
    DATABASE_URL,
    ROLES: 'api',
    SEED_DEMO: 'false',
    LOG_LEVEL: 'error',
    ...env,
  })
  const start = (env: Record<string, string> = {}) => launchReady(envOf(env))

  return {
    connection: postgres.connection,
    folder: place.folder,
    port: Number(place.env.PORT),
    start,
    /** The routes of a service in this process, before the measured one starts. */
    async listRoutes(env: Record<string, string>): Promise<string[]> {
      const config = { ...readConfig(envOf(env)), port: 0, metrics_port: 0 }
      const service = await startService({ config, log: createLog('silent') })
      const routes = routesOf(service.app)
      await service.stop()
      return routes
    },
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
