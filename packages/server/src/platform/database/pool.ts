import pg from 'pg'
import type { Log } from '../log/log.ts'

export type Connection = pg.ClientConfig

type PoolOptions = {
  connection: Connection
  size: number
  log: Log
  name: string
  /** True for background work, whose queries have no time limit. */
  patient?: boolean
  /** Server settings of its connections, such as `enable_seqscan=off`. */
  settings?: string
  /** Time limit for a connection and for a response. */
  limitMs?: number
}

/**
 * The longest wait for a connection and for a response. The monitor detects outages: it is faster,
 * and does not mistake a busy machine for one.
 */
export const queryLimitMs = 4_500
/** Background work waits longer for a connection. */
const longestWaitMs = 60_000
/** Opening a connection takes as long as a dozen statements. */
const idleTimeoutMillis = 60_000

export function createPool({
  connection,
  size,
  log,
  name,
  settings,
  patient,
  limitMs = queryLimitMs,
}: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: size,
    idleTimeoutMillis,
    connectionTimeoutMillis: patient ? longestWaitMs : limitMs,
    // The server times out first: then it was busy, not unavailable.
    ...(patient ? {} : { statement_timeout: Math.round(limitMs * 0.9), query_timeout: limitMs }),
    idle_in_transaction_session_timeout: Math.max(10_000, limitMs),
    application_name: `emojid-${name}-${process.pid}`,
    types: { getTypeParser },
    ...(settings ? { options: `-c ${settings}` } : {}),
  })
  // The pool replaces a broken connection; without a listener the event would end the process.
  const hear = (error: Error) => log.debug({ err: error, pool: name }, 'A connection broke')
  pool.on('error', hear)
  pool.on('connect', (client) => client.on('error', hear))
  return pool
}

/** Counts and cents are int8 and fit a number; a larger value throws and is never rounded. */
const getTypeParser: typeof pg.types.getTypeParser = (oid, format) =>
  oid === pg.types.builtins.INT8 ? parseInteger : pg.types.getTypeParser(oid, format)

function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
  return value
}
