import { Kysely, PostgresDialect } from 'kysely'
import type { Log } from '../log/log.ts'
import { type Connection, createPool } from './pool.ts'

/** A query builder for background work, without monitoring. */
export function connectTo<Tables>(connection: Connection, log: Log) {
  const pool = createPool({ connection, size: 2, log, name: 'command', patient: true })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, close: () => db.destroy() }
}
