import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import type pg from 'pg'
import { databaseAway, databaseBusy, isBusy, isCrossed, isUnavailable } from './faults.ts'
import type { DatabaseMonitor } from './monitor.ts'
import { beforeCommit, noteWithEffect } from './request-context.ts'

/** A query builder over `pool` that fails at once while the database is away. */
export function createDatabase<Tables>(pool: pg.Pool, monitor: DatabaseMonitor): Kysely<Tables> {
  const guarded: PostgresPool = {
    connect: connectUnlessAway(pool, monitor),
    end: () => pool.end(),
  }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded }) })
}

/** Takes connections from the pool. Callers that wait for one are told when the database goes away. */
export function connectUnlessAway(
  pool: pg.Pool,
  monitor: DatabaseMonitor,
): () => Promise<pg.PoolClient> {
  const waiting = new Set<() => void>()
  monitor.whenAway(() => {
    for (const giveUp of waiting) giveUp()
    waiting.clear()
  })
  return () => {
    if (monitor.isAway()) return Promise.reject(databaseAway())
    const connected = pool.connect()
    if (pool.idleCount > 0 && pool.idleCount >= pool.waitingCount) return connected
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(databaseAway())
      waiting.add(giveUp)
      connected.then(
        (client) => {
          if (waiting.delete(giveUp)) resolve(client)
          else client.release()
        },
        (error) => {
          waiting.delete(giveUp)
          reject(error)
        },
      )
    })
  }
}

/** Ends queries under way when the database goes away: their callers are told now, not at the time-out. */
export function giveUpWhenAway(pool: pg.Pool, monitor: DatabaseMonitor): void {
  const busy = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => busy.add(client))
  pool.on('release', (_error, client) => busy.delete(client))
  monitor.whenAway(() => {
    for (const client of busy) void (client as unknown as pg.Client).end().catch(() => {})
  })
}

const followUps = new WeakMap<object, (() => void)[]>()

/**
 * The one way to change several things together. What the request asked to be noted with its
 * effect (an idempotency key) is written in the same transaction.
 */
export async function transact<Tables, Result>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const after: (() => void)[] = []
    try {
      const result = await db.transaction().execute(async (trx) => {
        followUps.set(trx, after)
        const done = await work(trx)
        await beforeCommit(trx)
        return done
      })
      for (const followUp of after) followUp()
      return result
    } catch (error) {
      // Two who waited for each other: nothing of this one happened, so it begins anew.
      if (attempt >= attemptsAtMost || !isCrossed(error)) throw error
    }
  }
}

const attemptsAtMost = 3

/** Several things as they were at one moment, whatever others change meanwhile. */
export const readAtOnce = <Tables, Result>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)

/** For what is no effect of the request, such as counting that there was one. */
export const transactApart: typeof transact = (db, work) =>
  noteWithEffect(
    async () => {},
    () => transact(db, work),
  )

/** Runs `followUp` once the transaction is committed, before anybody is told of it. */
export function afterCommit<Tables>(trx: Transaction<Tables>, followUp: () => void): void {
  const waiting = followUps.get(trx)
  if (!waiting) throw new Error('afterCommit needs a transaction made by transact')
  waiting.push(followUp)
}

/** Turns "cannot reach the database" into what callers are told; every other fault stays as it is. */
export function asServiceError(error: unknown): unknown {
  if (isBusy(error)) return databaseBusy(error)
  return isUnavailable(error) ? databaseAway(error) : error
}
