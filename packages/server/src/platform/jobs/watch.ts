import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../log/log.ts'
import { selectBusyWorkers } from './jobs.ts'

export type WatchTimes = {
  lookEveryMs: number
  /** The pause before a new connection. */
  retryMs: number
  /** A living worker with a broken connection has reconnected by then. */
  patienceMs: number
}

const usualTimes: WatchTimes = { lookEveryMs: 1_000, retryMs: 250, patienceMs: 3_000 }

/**
 * The job queue leaves the jobs of a killed worker locked for hours. So each living worker holds an
 * advisory lock under its name, which ends with its connection. All workers watch for jobs whose
 * worker holds no lock, and release those after a delay.
 */
export type WorkerWatch = {
  /** Registers a worker of this process. */
  enter(worker: string): void
  leave(worker: string): void
  stop(): Promise<void>
}

export function watchWorkers(
  pool: pg.Pool,
  log: Log,
  times: Partial<WatchTimes> = {},
): WorkerWatch {
  const { lookEveryMs, retryMs, patienceMs } = { ...usualTimes, ...times }
  const ownIds = new Set<string>()
  const heldLocks = new Set<string>()
  const missingSince = new Map<string, number>()
  let client: pg.PoolClient | undefined
  let nap = new AbortController()
  let isStopped = false

  const drop = () => {
    client?.release(true)
    client = undefined
    heldLocks.clear()
    missingSince.clear()
  }
  const connect = async () => {
    const fresh = await pool.connect()
    fresh.once('end', () => nap.abort())
    return fresh
  }
  const showOurs = async (on: pg.PoolClient) => {
    for (const worker of ownIds) {
      if (heldLocks.has(worker)) continue
      await on.query(`select pg_advisory_lock(${lockOf('$1')})`, [worker])
      heldLocks.add(worker)
    }
    for (const worker of heldLocks) {
      if (ownIds.has(worker)) continue
      await on.query(`select pg_advisory_unlock(${lockOf('$1')})`, [worker])
      heldLocks.delete(worker)
    }
  }
  const freeJobsOfTheDead = async (on: pg.PoolClient) => {
    const now = performance.now()
    const { rows } = await on.query<{ worker: string }>(findMissing, [[...heldLocks]])
    const missing = new Set(rows.map(({ worker }) => worker))
    for (const worker of missingSince.keys()) if (!missing.has(worker)) missingSince.delete(worker)
    for (const worker of missing) {
      if (!missingSince.has(worker)) missingSince.set(worker, now)
    }
    const dead = [...missing].filter(
      (worker) => now - (missingSince.get(worker) ?? now) >= patienceMs,
    )
    if (dead.length === 0) return
    await on.query(freeJobs, [dead])
    log.warn({ workers: dead.length }, 'Released the jobs of dead workers')
  }
  const look = async (): Promise<number> => {
    try {
      client ??= await connect()
      await showOurs(client)
      await freeJobsOfTheDead(client)
      return lookEveryMs
    } catch (error) {
      log.debug({ err: error }, 'The watch over workers was interrupted')
      drop()
      return retryMs
    }
  }
  const wake = () => nap.abort()
  const watch = async () => {
    while (!isStopped) {
      nap = new AbortController()
      const pauseMs = await look()
      await sleep(pauseMs, undefined, { signal: nap.signal }).catch(() => {})
    }
    drop()
  }
  const watching = watch()

  return {
    enter(worker) {
      ownIds.add(worker)
      wake()
    },
    leave(worker) {
      ownIds.delete(worker)
      wake()
    },
    async stop() {
      isStopped = true
      wake()
      await watching
    },
  }
}

const lockOf = (worker: string): string => `hashtextextended(${worker}, 0)`

/** Workers with jobs or queues, except those in `$1`, whose lock is free. */
const findMissing = `
  select worker from (${selectBusyWorkers}) as busy
  where worker <> all ($1) and pg_try_advisory_xact_lock(${lockOf('worker')})`

/** Holds the locks meanwhile: a worker of `$1` that is back keeps its jobs. */
const freeJobs = `
  with dead as materialized (
    select worker from unnest($1::text[]) as gone (worker)
    where pg_try_advisory_xact_lock(${lockOf('worker')})
  ), freed as materialized (
    select graphile_worker.force_unlock_workers(array_agg(worker)) from dead
  )
  select pg_notify('jobs:insert', '{"count":10}') from freed`
