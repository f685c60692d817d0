import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CronItem,
  Logger,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  type Task,
  type WorkerEvents,
} from 'graphile-worker'
import type pg from 'pg'
import type { Log } from '../log/log.ts'
import { type WatchTimes, watchWorkers } from './watch.ts'

/** The background work of one feature: tasks by name, and their schedule. */
export type JobModule = {
  tasks: Record<string, (payload: unknown) => Promise<void>>
  schedules?: readonly { task: string; cron: string }[]
}

export type Worker = { stop(): Promise<void> }

type Options = {
  pool: pg.Pool
  modules: readonly JobModule[]
  log: Log
  concurrency?: number
  /** Shorter than usual in tests. */
  watchTimes?: Partial<WatchTimes>
  /** Time limit of the shutdown; the next worker runs unfinished jobs. */
  stopWithinMs?: number
}

const workerSettings = {
  // Any batching at all: without it, the runner does not wait until a job is marked as done,
  // neither at shutdown nor for an error, which would end the process.
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
}

export const migrateJobs = (pool: pg.Pool, log: Log): Promise<void> =>
  runMigrations({ pgPool: pool, logger: loggerFor(log) })

/** Runs jobs until it is stopped; waits while the database is unavailable. */
export async function startWorker({
  pool,
  modules,
  log,
  concurrency = 4,
  watchTimes,
  stopWithinMs = 4_000,
}: Options): Promise<Worker> {
  const tasks = modules.flatMap((module) => Object.entries(module.tasks))
  const taskList = Object.fromEntries(tasks.map(([name, task]) => [name, makeInterruptible(task)]))
  const schedules = modules.flatMap((module) => module.schedules ?? [])
  const cron: CronItem[] = schedules.map(({ task, cron: match }) => ({
    task,
    match,
    options: { backfillPeriod: 0, jobKey: task, jobKeyMode: 'preserve_run_at' },
  }))
  releaseOnce(pool)
  const watch = watchWorkers(pool, log, watchTimes)
  let runner: Runner | undefined
  let isStopped = false

  const launch = async () => {
    await assertPrimary(pool)
    const events: WorkerEvents = new EventEmitter()
    let name = ''
    events.once('pool:create', ({ workerPool }) => {
      name = workerPool.id
      watch.enter(name)
    })
    // A runner whose first query failed keeps that failure and never finds a job (graphile-worker
    // 0.17.3, taskIdentifiers.js); a new runner queries again.
    let isAtWork = false
    const markAtWork = () => {
      isAtWork = true
    }
    events.once('worker:getJob:empty', markAtWork).once('job:start', markAtWork)
    events.once('worker:getJob:error', () => {
      if (isAtWork) return
      log.warn('The job runner could not start; replacing it')
      launchedRunner.then((lame) => lame.stop()).catch(() => {})
    })
    const launchedRunner = run({
      pgPool: pool,
      taskList,
      parsedCronItems: parseCronItems(cron),
      concurrency,
      pollInterval: 2_000,
      noHandleSignals: true,
      preset: { worker: { ...workerSettings, gracefulShutdownAbortTimeout: stopWithinMs } },
      logger: loggerFor(log),
      events,
    })
    runner = await launchedRunner
    runner.promise
      .catch((error) => log.error({ err: error }, 'The job runner stopped'))
      .finally(() => watch.leave(name))
      .then(relaunch)
  }
  const relaunch = async () => {
    while (!isStopped) {
      await sleep(1_000)
      if (isStopped) return
      try {
        return await launch()
      } catch (error) {
        if (!(error instanceof StandbyError)) {
          log.warn({ err: error }, 'The job runner could not start yet')
        }
      }
    }
  }
  await launch().catch(async (error) => {
    if (error instanceof StandbyError) return void relaunch()
    await watch.stop()
    throw error
  })

  return {
    async stop() {
      isStopped = true
      await runner?.stop().catch(() => {})
      await watch.stop()
    },
  }
}

/** A standby has no jobs to take and no notices; they run once it is promoted. */
async function assertPrimary(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query('select pg_is_in_recovery() as is_standby')
  if (rows[0]?.is_standby) throw new StandbyError('The database is a standby.')
}

class StandbyError extends Error {}

/**
 * A runner that stops while its LISTEN fails releases that connection twice, and the error would end
 * the process (graphile-worker 0.17.3, main.js).
 */
function releaseOnce(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool)
  type Callback = Parameters<typeof connect>[0]
  const connectOnce = (callback?: Callback) =>
    callback
      ? connect((error, client, release) => {
          let isReleased = false
          callback(error, client, (reason) => {
            if (!isReleased) release(reason)
            isReleased = true
          })
        })
      : connect()
  pool.connect = connectOnce as typeof pool.connect
}

/** Rejects for the queue when the worker must stop, however long the work takes. */
function makeInterruptible(task: (payload: unknown) => Promise<void>): Task {
  return (payload, { abortSignal }) =>
    new Promise<void>((resolve, reject) => {
      const interrupt = () => reject(new Error('The worker is stopping; the next one retries'))
      abortSignal?.addEventListener('abort', interrupt)
      task(payload)
        .finally(() => abortSignal?.removeEventListener('abort', interrupt))
        .then(resolve, reject)
    })
}

/** Messages only: the metadata holds payloads, which may be private. */
function loggerFor(log: Log): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new Logger(() => (level, message) => {
    log[levels[level]]({ component: 'jobs' }, message)
  })
}
