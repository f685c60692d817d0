import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from './config.ts'
import { startEmbeddedPostgres } from './platform/database/embedded/server.ts'
import { createBucketsFile } from './platform/http/shared-buckets.ts'
import { createLog } from './platform/log/log.ts'
import {
  createProcessMetrics,
  type Figures,
  mergeFigures,
  serveMetrics,
} from './platform/metrics/metrics.ts'
import { environmentOf, type Part } from './platform/processes.ts'
import { assertPortFree, portError } from './port-error.ts'
import { missingPrograms, welcome } from './welcome.ts'

export type ToPart = { ask: number }
export type FromPart = { ready: true } | { answered: number; figures: Figures }

/** The exit status of a process whose configuration is invalid: another start would not help. */
export const misconfigured = 78

/** The pause before a replacement doubles with every process that ends early. */
const pauses = { firstMs: 100, longestMs: 30_000, settledMs: 10_000 }
/** A process that is too busy to answer is missing in the metrics. */
const figuresWithinMs = 2_000

const jobs = 'jobs'

/** A process to keep running, and the running one. */
type Slot = { name: string; worker: Worker | undefined; failures: number; change: Promise<void> }

/** The configuration of one process: HTTP, or jobs. */
export function configOfPart(config: Config, { name, database_url, processes }: Part): Config {
  const { roles, database_pool_size: size } = config
  const isMine = (role: string) => (role === 'worker') === (name === jobs)
  return {
    ...config,
    database_url: config.database_url ?? database_url,
    roles: new Set([...roles].filter(isMine)),
    database_pool_size: Math.max(leastPoolSize, Math.ceil(size / processes)),
  }
}

/** Below it a slow statement or two would stop a process. */
const leastPoolSize = 3

/**
 * Runs `config.processes` HTTP processes behind one port, and one process for jobs. It replaces
 * those that end, restarts them in turn at SIGHUP, and stops all at SIGTERM and SIGINT.
 */
export async function supervise(config: Config, stopTimeoutMs: number): Promise<void> {
  const log = createLog(config.log_level).child({ process: 'supervisor' })
  const explainPort = (error: Error) => {
    throw portError(error, config) ?? error
  }
  await assertPortFree(config).catch(explainPort)
  const buckets = createBucketsFile()
  const metrics = createProcessMetrics(() =>
    slots.map((slot) => [slot.name, slot.worker !== undefined]),
  )
  const metricsServer = await serveMetrics(
    {
      describe: async () => mergeFigures([await metrics.figures(), ...(await askAll())]),
      ...metrics,
    },
    config,
    log,
  ).catch(explainPort)
  const database = config.database_url
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.data_dir, log })

  const names = [
    ...(config.roles.has('worker') ? [jobs] : []),
    ...Array.from({ length: config.processes }, (_, n) => `http-${n + 1}`),
  ]
  const slots: Slot[] = names.map((name) => ({
    name,
    worker: undefined,
    failures: 0,
    change: Promise.resolve(),
  }))
  const alive = new Set<Worker>()
  let isStopping = false

  // The processes accept from one socket: connections that a killed process has not accepted go to
  // the others, and no connection passes through this process.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('./main.js', import.meta.url)),
    args: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', buckets],
  })

  /** Resolves when it is ready; rejects with its exit status if it ends before. */
  const begin = (slot: Slot): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork(
        environmentOf({
          name: slot.name,
          leads: slot === slots[0],
          processes: config.processes,
          database_url: database && urlOf(database.connection),
        }),
      )
      const startedAt = performance.now()
      alive.add(worker)
      worker.on('message', (message: FromPart) => {
        if (!('ready' in message)) return
        slot.worker = worker
        resolve()
      })
      worker.once('exit', (status, signal) => {
        alive.delete(worker)
        reject(status)
        if (slot.worker !== worker) return
        slot.worker = undefined
        if (isStopping) return
        log.error({ ended: slot.name, status, signal }, 'A process ended and is replaced')
        metrics.countReplacement(slot.name)
        const isSettled = performance.now() - startedAt > pauses.settledMs
        slot.failures = isSettled ? 1 : slot.failures + 1
        slot.change = slot.change.then(() => replace(slot))
      })
    })

  const replace = async (slot: Slot): Promise<void> => {
    while (!isStopping && slot.worker === undefined) {
      await sleep(Math.min(pauses.firstMs * 2 ** (slot.failures - 1), pauses.longestMs))
      if (isStopping) return
      const status = await begin(slot).then(() => undefined, Number)
      if (status === misconfigured) return void stop(1)
      if (status !== undefined) slot.failures++
    }
  }

  /**
   * A new process serves before the old one stops. What exists once stops first: jobs can wait, and
   * the sandbox has a port.
   */
  const restart = async (slot: Slot): Promise<void> => {
    const old = slot.worker
    if (!old || isStopping) return
    const ended = new Promise((resolve) => old.once('exit', resolve))
    const isSingle = slot === slots[0] && (slot.name === jobs || config.sandbox_port !== undefined)
    if (isSingle) slot.worker = undefined
    else await begin(slot)
    old.process.kill('SIGTERM')
    await ended
    slot.failures = 0
    if (isSingle) await replace(slot)
  }
  let restarts = Promise.resolve()
  const restartAll = async () => {
    for (const slot of slots) {
      const change = slot.change.then(() => restart(slot))
      slot.change = change.catch(() => {})
      await change
    }
    log.warn('All processes were restarted')
  }

  const stop = async (status: number): Promise<void> => {
    if (isStopping) return
    isStopping = true
    const ended = [...alive].map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    const killAll = (signal: NodeJS.Signals) => {
      for (const worker of alive) worker.process.kill(signal)
    }
    killAll('SIGTERM')
    setTimeout(() => killAll('SIGKILL'), config.drain_ms + stopTimeoutMs).unref()
    await Promise.all(ended)
    await metricsServer.stop()
    await database?.stop()
    process.exit(status)
  }

  let asked = 0
  const askAll = (): Promise<Figures[]> => {
    const ask = ++asked
    const answers = slots.flatMap(({ worker }) => (worker ? [answerOf(worker, ask)] : []))
    return Promise.all(answers)
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => (isStopping ? process.exit(1) : void stop(0)))
  }
  // A closed terminal sends it, too.
  const isInTerminal = process.stdin.isTTY
  process.on('SIGHUP', () => {
    if (isInTerminal) return void stop(0)
    restarts = restarts.then(restartAll).catch((status) => {
      log.error({ status }, 'A new process did not start; the old ones go on')
    })
  })

  try {
    // The first one migrates the database; what it cannot do, no other can.
    const [first, ...others] = slots
    if (first) await begin(first)
    await Promise.all(others.map(begin))
  } catch {
    // The process wrote the reason.
    return stop(1)
  }
  process.stdout.write(welcome(config, await missingPrograms(config)))
}

async function answerOf(worker: Worker, ask: number): Promise<Figures> {
  let timer: NodeJS.Timeout | undefined
  let listen = (_message: FromPart) => {}
  try {
    return await new Promise<Figures>((resolve) => {
      timer = setTimeout(() => resolve([]), figuresWithinMs)
      listen = (message) => {
        if ('answered' in message && message.answered === ask) resolve(message.figures)
      }
      worker.on('message', listen)
      worker.once('exit', () => resolve([]))
      worker.send({ ask } satisfies ToPart, () => {})
    })
  } finally {
    clearTimeout(timer)
    worker.off('message', listen)
  }
}

type Connection = Awaited<ReturnType<typeof startEmbeddedPostgres>>['connection']

const urlOf = ({ host = '', user, database }: Connection): string =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
