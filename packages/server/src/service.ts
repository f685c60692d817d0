import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Config, hasSites } from './config.ts'
import { type Container, createContainer } from './container.ts'
import { openGateways } from './gateways.ts'
import { createHttp } from './http.ts'
import { openKeyRing, openMintSigner, openSealer } from './own-keys.ts'
import { openDatabase } from './platform/database/open.ts'
import { demoCreationSql, seedDemo } from './platform/demo/seed.ts'
import { ServiceError } from './platform/errors.ts'
import type { OverloadLimits } from './platform/http/server/overload.ts'
import { startWorker } from './platform/jobs/worker.ts'
import type { Log } from './platform/log/log.ts'
import { createMetrics, type Metrics, serveMetrics } from './platform/metrics/metrics.ts'
import type { FetcherOptions } from './platform/outside/reach.ts'
import type { Hashing } from './platform/passwords/passwords.ts'
import type { Part } from './platform/processes.ts'
import { assertPortFree } from './port-error.ts'
import type { Tables } from './tables.ts'

export type Service = {
  app: FastifyInstance
  container: Container
  metrics: Metrics
  /** The actual address, if the configuration says port 0. */
  address: string
  stop(): Promise<void>
}

export type ServiceOptions = {
  config: Config
  log: Log
  now?: () => Date
  /** Gets secrets of the demonstration, which are shown once, as soon as they are written. */
  announce?: (line: string) => void
  /** Replaces parts of the container, in tests. */
  override?: (container: Container) => Container
  overload?: OverloadLimits
  /** Allows other pages than public ones, in tests. */
  outside?: FetcherOptions
  /** Cheaper password hashing, in tests. */
  hashing?: Hashing | undefined
  /** Builds the description of the API before it listens, and compiles shapes in pauses after it. */
  warmsUp?: boolean
  /** One of the processes of a supervisor, which serves their metrics together. */
  part?: Part | undefined
  /** Multiplies the time limits of requests, statements and provider calls, in tests. */
  patience?: number
}

/** Starts the roles of this process in order; stops in reverse order. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log, now = () => new Date(), announce = () => {}, patience = 1 } = options
  const { override = (built) => built, part } = options
  const leads = part?.leads ?? true
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) {
      await step().catch((error) => log.error({ err: error }, 'A part did not stop cleanly'))
    }
  }
  try {
    const metrics = createMetrics(part?.name)
    const creationSql = config.seed_demo ? demoCreationSql : undefined
    const database = await openDatabase<Tables>({ ...config, creationSql, log, metrics, patience })
    stops.push(database.close)
    const { db, prepare, pools, monitor } = database
    const replica = database.replica && { database: database.replica, metrics }
    const sealer = await openSealer(config, db)
    const keyRing = await openKeyRing(config)
    const mintSigner = await openMintSigner(config)
    log.info({ address: mintSigner.address }, 'Address that signs mint permissions')
    const providers = await openGateways({
      config,
      log,
      patience,
      runsSandbox: part ? leads : config.roles.has('api'),
    })
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
        announce,
        log,
        replica,
        outside: options.outside,
        hashing: options.hashing,
        patience,
      }),
    )
    stops.push(() => container.stop())
    metrics.watchEvents({
      countStreams: container.events.streams.count,
      readSequencerLag: container.events.readSequencerLag,
      readBacklog: container.webhooks.readBacklog,
    })

    if (!part) {
      const metricsServer = await serveMetrics(metrics, config, log)
      stops.push(metricsServer.stop)
      // Before anything is written that only this start announces.
      await assertPortFree(config)
    }

    const { admin } = config
    const isWritable = monitor.standby() === undefined
    if (!isWritable)
      log.warn('The database is a standby: nothing can be changed until its promotion')
    const writesSeeds = leads && isWritable
    if (admin && writesSeeds) await makeAdmin(container, admin, log)
    if (config.seed_demo && writesSeeds) await seedDemo(db, container.seeds)
    if (config.roles.has('worker')) {
      const worker = await startWorker({ pool: pools.jobs, modules: container.jobs, log })
      stops.push(worker.stop)
      const dispatcher = container.webhooks.startDispatcher()
      stops.push(dispatcher.stop)
    }
    let isDraining = false
    const obstacles = () => [
      ...(isDraining ? ['The process is stopping.'] : []),
      ...(monitor.isAway() ? [monitor.reason()] : []),
    ]
    const app = await createHttp({
      config,
      container,
      log,
      metrics,
      obstacles,
      overload: options.overload,
      patience,
      warmsUp: options.warmsUp ?? false,
      isDraining: () => isDraining,
      replica: database.replica,
      standby: monitor.standby,
      process: part?.name,
    })
    stops.push(() => closeHttp(app))
    // The process for jobs of a supervisor has no port.
    if (part && !hasSites(config)) return { app, container, metrics, address: '', stop }
    const address = await app.listen({ host: config.host, port: config.port })
    stops.push(() => {
      isDraining = true
      // The other processes behind the port accept from now on: a connection that this one accepts
      // last would close with an unread request. Node's method for HTTP also closes idle connections.
      if (part) NetServer.prototype.close.call(app.server)
      return sleep(config.drain_ms)
    })
    return { app, container, metrics, address, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeAdmin(container: Container, admin: NonNullable<Config['admin']>, log: Log) {
  try {
    const isNew = await container.createAdmin(admin).catch((error) => {
      // Another process created it concurrently.
      if (error instanceof ServiceError && error.code === 'uniqueness') return false
      throw error
    })
    if (isNew) log.info({ email: admin.email }, 'Created the first administrator')
    else log.info({ email: admin.email }, 'ADMIN_EMAIL already has an account; it stays unchanged')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new Error(`ADMIN_PASSWORD is too weak: ${error.message}`)
  }
}

const patienceMs = 2_000

/** Completes running requests; then closes connections that are still sending. */
async function closeHttp(app: FastifyInstance): Promise<void> {
  // Right after a turn of the event loop, which accepted all waiting connections: the kernel resets
  // those still in the backlog at the close.
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
