import type pg from 'pg'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  Registry,
} from 'prom-client'
import { createPlainServer } from '../http/server/connections.ts'
import type { Log } from '../log/log.ts'

export type Metrics = ReturnType<typeof createMetrics>

type EventFigures = {
  countStreams(): number
  readSequencerLag(): Promise<number>
  readBacklog(): Promise<{ undelivered: number; oldest_due_seconds: number }>
}

let knownRegistry: Registry | undefined

/**
 * Metrics of memory, garbage collection and the event loop belong to the process: their observers
 * never end, so there is one of each.
 */
function processRegistry(): Registry {
  if (!knownRegistry) {
    knownRegistry = new Registry()
    collectDefaultMetrics({ register: knownRegistry })
  }
  return knownRegistry
}

/** `name` labels the figures of one of several processes. */
export function createMetrics(name?: string) {
  const ofProcess = processRegistry()
  const registry = new Registry()
  if (name !== undefined) {
    for (const one of [ofProcess, registry]) one.setDefaultLabels({ process: name })
  }
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Answered requests by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const short = { 200: 0, 304: 0 }
  new Counter({
    name: 'http_short_lookups_total',
    help: 'Lookups answered from the cache by the fast path, by status',
    labelNames: ['status'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [status, count] of Object.entries(short)) this.inc({ status }, count)
    },
  })
  const shed = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests refused with 503 because the process is overloaded',
    registers: [registry],
  })
  const loaded = new Counter({
    name: 'lookup_loads_total',
    help: 'Ids that were not in the cache, by where they were read; counted where there is a replica',
    labelNames: ['source'] as const,
    registers: [registry],
  })
  return {
    /** All metrics in the Prometheus format. */
    describe: () => Registry.merge([ofProcess, registry]).metrics(),
    contentType: registry.contentType,
    /** The same for `mergeFigures` in another process. */
    figures: async (): Promise<Figures> => [
      ...(await ofProcess.getMetricsAsJSON()),
      ...(await registry.getMetricsAsJSON()),
    ],
    requests,
    /** Cheaper than a metric: tens of thousands a second. */
    countShortLookup(status: 200 | 304) {
      short[status]++
    },
    countShed: () => shed.inc(),
    /** Ids that were not in the cache, by where they were read. */
    countLoaded(source: 'primary' | 'replica', ids: number) {
      loaded.inc({ source }, ids)
    },
    watchReplica(state: () => { state: string; behind_ms: number | null }) {
      new Gauge({
        name: 'replica_behind_seconds',
        help: 'The maximum age of the replica; +Inf while unknown',
        registers: [registry],
        collect() {
          this.set((state().behind_ms ?? Number.POSITIVE_INFINITY) / 1_000)
        },
      })
      new Gauge({
        name: 'replica_in_use',
        help: '1 while lookups are read from the replica',
        registers: [registry],
        collect() {
          this.set(state().state === 'in use' ? 1 : 0)
        },
      })
    },
    /** The figures of the database are the same in every process; unknown while it is away. */
    watchEvents(read: EventFigures) {
      new Gauge({
        name: 'event_streams_open',
        help: 'Open streams of events of this process',
        registers: [registry],
        collect() {
          this.set(read.countStreams())
        },
      })
      new Gauge({
        name: 'event_sequencer_lag_seconds',
        help: 'The age of the oldest committed event without a number',
        registers: [registry],
        async collect() {
          this.set(await read.readSequencerLag().catch(() => Number.NaN))
        },
      })
      const backlog = () =>
        read
          .readBacklog()
          .catch(() => ({ undelivered: Number.NaN, oldest_due_seconds: Number.NaN }))
      new Gauge({
        name: 'webhook_deliveries_undelivered',
        help: 'Deliveries to active endpoints that wait or are being sent, counted up to 100,000',
        registers: [registry],
        async collect() {
          this.set((await backlog()).undelivered)
        },
      })
      new Gauge({
        name: 'webhook_oldest_due_seconds',
        help: 'For how long the oldest delivery to an endpoint without failures is due',
        registers: [registry],
        async collect() {
          this.set((await backlog()).oldest_due_seconds)
        },
      })
    },
    watchPool(name: string, pool: pg.Pool) {
      new Gauge({
        name: `database_pool_${name}_connections`,
        help: `Connections of the ${name} pool by state`,
        labelNames: ['state'] as const,
        registers: [registry],
        collect() {
          this.set({ state: 'open' }, pool.totalCount)
          this.set({ state: 'idle' }, pool.idleCount)
          this.set({ state: 'waited_for' }, pool.waitingCount)
        },
      })
    },
  }
}

export type Figures = MetricObject[]

/** The figures of several processes in the Prometheus format. */
export const mergeFigures = (ofProcesses: readonly Figures[]): Promise<string> =>
  AggregatorRegistry.aggregate([...ofProcesses]).metrics()

/** The figures of a supervisor about its processes, and its own. */
export function createProcessMetrics(read: () => [name: string, isReady: boolean][]) {
  const { contentType, figures } = createMetrics('supervisor')
  const registry = new Registry()
  const replaced = new Counter({
    name: 'process_replacements_total',
    help: 'Processes that ended by themselves and were replaced',
    labelNames: ['process'] as const,
    registers: [registry],
  })
  new Gauge({
    name: 'process_ready',
    help: '1 while the process serves or runs jobs',
    labelNames: ['process'] as const,
    registers: [registry],
    collect() {
      for (const [name, isReady] of read()) this.set({ process: name }, Number(isReady))
    },
  })
  return {
    contentType,
    figures: async () => [...(await figures()), ...(await registry.getMetricsAsJSON())],
    countReplacement: (name: string) => replaced.inc({ process: name }),
  }
}

type Place = { metrics_host: string; metrics_port: number; metrics_required: boolean }

/** Serves the metrics on a separate, private port. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'describe' | 'contentType'>,
  place: Place,
  log: Log,
) {
  const server = createPlainServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    response.writeHead(200, { 'content-type': metrics.contentType })
    response.end(await metrics.describe())
  })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(place.metrics_port, place.metrics_host, resolve)
    })
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (place.metrics_required || !isTaken) throw error
    log.warn(
      `Metrics are off: port ${place.metrics_port} is taken. Set METRICS_PORT to an available port.`,
    )
  }
  return {
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
