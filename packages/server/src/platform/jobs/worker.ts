import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CronItem,
  Logger,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  type TaskList,
} from 'graphile-worker'
import type pg from 'pg'
import type { Log } from '../log/log.ts'

/** The background work of one feature: tasks by name, and when some of them run by themselves. */
export type JobModule = {
  tasks: Record<string, (payload: unknown) => Promise<void>>
  schedules?: readonly { task: string; cron: string }[]
}

export type Worker = { stop(): Promise<void> }

type Options = { pool: pg.Pool; modules: readonly JobModule[]; log: Log; concurrency?: number }

export const migrateJobs = (pool: pg.Pool, log: Log): Promise<void> =>
  runMigrations({ pgPool: pool, logger: loggerFor(log) })

/** Runs jobs until it is stopped; when the database goes away it waits and carries on. */
export async function startWorker({
  pool,
  modules,
  log,
  concurrency = 4,
}: Options): Promise<Worker> {
  const taskList: TaskList = Object.assign({}, ...modules.map(({ tasks }) => tasks))
  const schedules = modules.flatMap((module) => module.schedules ?? [])
  const cron: CronItem[] = schedules.map(({ task, cron: match }) => ({
    task,
    match,
    options: { backfillPeriod: 0, jobKey: task, jobKeyMode: 'preserve_run_at' },
  }))
  let runner: Runner | undefined
  let stopped = false

  const launch = async () => {
    runner = await run({
      pgPool: pool,
      taskList,
      parsedCronItems: parseCronItems(cron),
      concurrency,
      pollInterval: 2_000,
      noHandleSignals: true,
      logger: loggerFor(log),
    })
    runner.promise
      .catch((error) => log.error({ err: error }, 'The job runner ended'))
      .then(relaunch)
  }
  const relaunch = async () => {
    while (!stopped) {
      await sleep(1_000)
      if (stopped) return
      try {
        return await launch()
      } catch (error) {
        log.warn({ err: error }, 'The job runner could not start yet')
      }
    }
  }
  await launch()

  return {
    async stop() {
      stopped = true
      await runner?.stop().catch(() => {})
    },
  }
}

/** Messages only: what stands beside them holds payloads, which may be private. */
function loggerFor(log: Log): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new Logger(() => (level, message) => {
    log[levels[level]]({ component: 'jobs' }, message)
  })
}
