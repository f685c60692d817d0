import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import type pg from 'pg'
import type { Log } from '../log/log.ts'
import {
  databaseAway,
  databaseBusy,
  databaseReadOnly,
  isBusy,
  isCrossed,
  isOutcomeUnknown,
  isReadOnly,
  isUnavailable,
  outcomeUnknown,
} from './faults.ts'
import type { DatabaseMonitor } from './monitor.ts'
import { type Connection, createPool } from './pool.ts'
import { beforeCommit, noteWithEffect } from './request-context.ts'
import { assertOutsideTransaction, runInScope } from './transaction-scope.ts'

/** A query builder over `pool` that fails fast while the database is unavailable. */
export function createDatabase<Tables>(pool: pg.Pool, monitor: DatabaseMonitor): Kysely<Tables> {
  const connect = connectUnlessAway(pool, monitor)
  const guardedPool: PostgresPool = {
    connect() {
      assertOutsideTransaction()
      return connect()
    },
    end: () => pool.end(),
  }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guardedPool }) })
}

/**
 * Takes connections from the pool. Waiting callers fail as soon as the database becomes
 * unavailable.
 */
export function connectUnlessAway(
  pool: pg.Pool,
  monitor: DatabaseMonitor,
): () => Promise<pg.PoolClient> {
  const followUps = new Set<() => void>()
  monitor.whenAway(() => {
    for (const giveUp of followUps) giveUp()
    followUps.clear()
  })
  return () => {
    if (monitor.isAway()) return Promise.reject(databaseAway())
    const connection = pool.connect()
    if (pool.idleCount > 0 && pool.idleCount >= pool.waitingCount) return connection
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(databaseAway())
      followUps.add(giveUp)
      connection.then(
        (client) => {
          if (followUps.delete(giveUp)) resolve(client)
          else client.release()
        },
        (error) => {
          followUps.delete(giveUp)
          reject(error)
        },
      )
    })
  }
}

const followUps = new WeakMap<object, (() => void)[]>()

/**
 * The one way to change several rows atomically. The idempotency record of the request is written
 * in the same transaction.
 */
export async function transact<Tables, Result>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const after: (() => void)[] = []
    let isCommitting = false
    try {
      const result = await db.transaction().execute(async (trx) => {
        followUps.set(trx, after)
        return runInScope(async () => {
          const result = await work(trx)
          await beforeCommit(trx)
          isCommitting = true
          return result
        })
      })
      for (const followUp of after) followUp()
      return result
    } catch (error) {
      if (isCommitting && isOutcomeUnknown(error)) throw outcomeUnknown(error)
      // A deadlock or serialization failure rolled this transaction back: retry.
      if (attempt >= attemptsAtMost || !isCrossed(error)) throw error
    }
  }
}

const attemptsAtMost = 3

/** Reads several things from one snapshot (repeatable read). */
export const readAtOnce = <Tables, Result>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => runInScope(() => work(trx)))

/** Commits writes that are no effect of the request, such as counters, without an idempotency record. */
export const transactOutsideRequest: typeof transact = (db, work) =>
  noteWithEffect(
    async () => {},
    () => transact(db, work),
  )

/** Runs `followUp` after the commit and before the response. */
export function afterCommit<Tables>(trx: Transaction<Tables>, followUp: () => void): void {
  const tasks = followUps.get(trx)
  if (!tasks) throw new Error('afterCommit needs a transaction made by transact')
  tasks.push(followUp)
}

/** Maps an unavailable database to a ServiceError; other errors stay unchanged. */
export function asServiceError(error: unknown): unknown {
  if (isBusy(error)) return databaseBusy(error)
  if (isReadOnly(error)) return databaseReadOnly(error)
  return isUnavailable(error) ? databaseAway(error) : error
}

/** A query builder for background work, without monitoring. */
export function connectTo<Tables>(connection: Connection, log: Log) {
  const pool = createPool({ connection, size: 2, log, name: 'command', patient: true })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, close: () => db.destroy() }
}
