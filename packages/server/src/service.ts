import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { type Container, createContainer } from './container.ts'
import { openGateways } from './gateways.ts'
import { createHttp } from './http.ts'
import { openKeyRing, openMintSigner, openSealer } from './own-keys.ts'
import { openDatabase } from './platform/database/open.ts'
import { seedDemo } from './platform/demo/seed.ts'
import { ServiceError } from './platform/errors.ts'
import type { OverloadLimits } from './platform/http/overload.ts'
import { startWorker } from './platform/jobs/worker.ts'
import type { Log } from './platform/log/log.ts'
import { createMetrics, serveMetrics } from './platform/metrics/metrics.ts'
import type { FetcherOptions } from './platform/outside/fetch-page.ts'
import type { HashingCost } from './platform/passwords/passwords.ts'
import type { Tables } from './tables.ts'

export type Service = {
  app: FastifyInstance
  container: Container
  /** Where it listens, which the configuration leaves open when it asks for port 0. */
  address: string
  stop(): Promise<void>
}

export type ServiceOptions = {
  config: Config
  log: Log
  now?: () => Date
  /** Changes to what the container holds, for tests. */
  override?: (container: Container) => Container
  overload?: OverloadLimits
  /** Which pages of others may be read, for tests. */
  outside?: FetcherOptions
  /** What hashing a password costs, for tests. */
  hashingCost?: HashingCost | undefined
  /** Multiplies the time limits of requests, statements and calls to providers, for tests. */
  patience?: number
}

/** Starts everything this process is asked for, in order; stopping goes the same way back. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log, now = () => new Date(), patience = 1 } = options
  const { override = (built) => built } = options
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) {
      await step().catch((error) => log.error({ err: error }, 'A part did not stop cleanly'))
    }
  }
  try {
    const metrics = createMetrics()
    const database = await openDatabase<Tables>({ ...config, log, metrics, patience })
    stops.push(database.close)
    const { db, prepare, pools, monitor, isNew } = database
    const replica = database.replica && { database: database.replica, metrics }
    const sealer = await openSealer(config, db)
    const keyRing = await openKeyRing(config)
    const mintSigner = await openMintSigner(config)
    log.info({ address: mintSigner.address }, 'Signs who may mint')
    const providers = await openGateways(config, log, patience)
    stops.push(providers.close)
    const { gateways } = providers
    const container = override(
      createContainer({
        config,
        db,
        prepare,
        monitor,
        sealer,
        keyRing,
        mintSigner,
        gateways,
        now,
        log,
        replica,
        outside: options.outside,
        hashingCost: options.hashingCost,
        patience,
      }),
    )
    stops.push(() => container.stop())

    const { admin } = config
    if (admin) await makeAdmin(container, admin, log)
    if (config.seed_demo) await seedDemo(db, container.seeds, isNew)
    if (config.roles.has('worker')) {
      const worker = await startWorker({ pool: pools.jobs, modules: container.jobs, log })
      stops.push(worker.stop)
    }
    let draining = false
    const obstacles = () => [
      ...(draining ? ['The process is stopping.'] : []),
      ...(monitor.isAway() ? ['The database does not answer.'] : []),
    ]
    const app = await createHttp({
      config,
      container,
      log,
      metrics,
      obstacles,
      overload: options.overload,
      patience,
      isDraining: () => draining,
      replica: database.replica,
    })
    stops.push(() => closeHttp(app))
    const metricsServer = await serveMetrics(metrics, config, log)
    stops.push(metricsServer.stop)
    const address = await app.listen({ host: config.host, port: config.port })
    stops.push(() => {
      draining = true
      return sleep(config.drain_ms)
    })
    return { app, container, address, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeAdmin(container: Container, admin: NonNullable<Config['admin']>, log: Log) {
  try {
    const isNew = await container.createAdmin(admin).catch((error) => {
      // Another process that starts at this moment was faster.
      if (error instanceof ServiceError && error.code === 'uniqueness') return false
      throw error
    })
    if (isNew) log.info({ email: admin.email }, 'Made the first administrator')
    else log.info({ email: admin.email }, 'ADMIN_EMAIL has an account already; it stays as it is')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new Error(`ADMIN_PASSWORD is not good enough: ${error.message}`)
  }
}

const patienceMs = 2_000

/** Answers what is under way; whoever is still sending after that has had the time. */
async function closeHttp(app: FastifyInstance): Promise<void> {
  // Right after a turn of the event loop has taken in all who were waiting at the door: whoever
  // still stands there when it closes is turned away unheard.
  await new Promise<void>((resolve) =>
    setImmediate(() => {
      app.server.close()
      resolve()
    }),
  )
  const timer = setTimeout(() => app.server.closeAllConnections(), patienceMs)
  await app.close()
  clearTimeout(timer)
}
