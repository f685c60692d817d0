import type { Socket } from 'node:net'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import { isReadOnly } from './faults.ts'

export type Connection = pg.ClientConfig

/** Where the next connection leads, and what it proves before its first statement. */
type Destination = { host(): Connection; admit?(client: pg.ClientBase): Promise<void> }

type PoolOptions = {
  connection: Connection | Destination
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
/**
 * A commit waits for a synchronous standby; when one dies, until the cluster has replaced it (5 s).
 * The time limit of the server does not include that wait.
 */
const commitLimitMs = 15_000
const mayCommit = /^\s*(commit|insert|update|delete|with)\b/i
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
    ...(isDestination(connection) ? configFor(connection) : connection),
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
  /** Refused a write: a new session may write again, once the operator allows it. */
  const spent = new WeakSet<pg.ClientBase>()
  // The pool replaces a broken connection; without a listener the event would end the process.
  const hear = (error: Error) => log.debug({ err: error, pool: name }, 'A connection broke')
  pool.on('error', hear)
  pool.on('connect', (client) => {
    client.on('error', hear)
    parseInTurns(client)
    if (!patient) extendCommits(client, Math.max(commitLimitMs, limitMs))
    const { connection } = client as unknown as pg.Client
    connection.on('errorMessage', (error: unknown) => isReadOnly(error) && spent.add(client))
  })
  // The pool closes a released connection that is ending.
  pool.on('release', (_error, client) => {
    if (spent.has(client)) void (client as unknown as pg.Client).end().catch(() => {})
  })
  return pool
}

/** Node reads up to 64 kB at once, and up to two megabytes in one turn of the event loop. */
const largeChunk = 32_000

/**
 * Parses a large result with a turn of the event loop after each chunk: 64 kB of rows take 3 ms, and
 * Node would hand over all chunks that have arrived in one turn.
 */
function parseInTurns(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  const resume = () => stream.resume()
  stream.on('data', (chunk: Buffer) => {
    if (chunk.length < largeChunk) return
    stream.pause()
    setImmediate(resume)
  })
}

const isDestination = (connection: Connection | Destination): connection is Destination =>
  typeof connection.host === 'function'

function configFor({ host, admit }: Destination): pg.PoolConfig {
  class DestinedClient extends pg.Client {
    constructor(options: pg.ClientConfig) {
      super({ ...options, ...host() })
    }
  }
  const Client = DestinedClient as unknown as new () => pg.ClientBase
  return { Client, ...(admit ? { onConnect: admit } : {}) }
}

function extendCommits(client: pg.ClientBase, query_timeout: number): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const extended = (statement: unknown, ...rest: unknown[]) => {
    const isText = typeof statement === 'string'
    const { text } = isText ? { text: statement } : (statement as { text?: string })
    if (!text || !mayCommit.test(text)) return query(statement, ...rest)
    return query({ ...(isText ? { text } : (statement as object)), query_timeout }, ...rest)
  }
  client.query = extended as typeof client.query
}

/** Counts and cents are int8 and fit a number; a larger value throws and is never rounded. */
const getTypeParser: typeof pg.types.getTypeParser = (oid, format) =>
  oid === pg.types.builtins.INT8 ? parseInteger : pg.types.getTypeParser(oid, format)

function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
  return value
}
