import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isUnavailable } from './faults.ts'
import type { Connection } from './pool.ts'

/** The servers of DATABASE_URL. One of them is the primary, the others are its standbys. */
export type Hosts = readonly [Connection, ...Connection[]]

/** Which server a connection leads to. A primary keeps its identity until it stops. */
export type ServerIdentity = {
  /** Of the cluster. A new database, and one restored from a dump, has another. */
  system: string
  /** Every promotion raises it. */
  timeline: number
  /** Differs between two servers that both claim a timeline. */
  started_at: string
  is_standby: boolean
}

export type ProvenClient = { client: pg.Client; identity: ServerIdentity; host: Connection }

/** One address per host of an address as libpq writes it: `postgres://user@one:5432,two:5432/name`. */
export function addressesOf(url: string): string[] {
  const [, start = '', list = '', rest = ''] =
    /^([^/]*\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(url) ?? []
  return list.split(',').map((host) => start + host + rest)
}

export function hostsOf(url: string): Hosts {
  const [first, ...others] = addressesOf(url).map((connectionString) => ({ connectionString }))
  return [first ?? {}, ...others]
}

/** Throws if a connection pooler answers: it would lose LISTEN while the heartbeats go on. */
export async function readIdentity(client: pg.ClientBase): Promise<ServerIdentity> {
  const { rows } = await client.query<ServerIdentity & { pid: number }>(selectIdentity)
  const [row] = rows
  if (!row) throw new Error('The database did not identify itself.')
  const { pid, ...identity } = row
  assertDirect(client, pid)
  return identity
}

/** A pooler passes statements to other server processes than the one that greeted the client. */
export function assertDirect(client: pg.ClientBase, pid: number): void {
  if ((client as unknown as { processID: number }).processID === pid) return
  throw new UnusableServerError(
    'DATABASE_URL leads to a connection pooler such as PgBouncer, which loses notices of changed ' +
      'ids. Name the PostgreSQL server itself, or a TCP proxy such as HAProxy.',
  )
}

/** A standby shows the timeline of its last checkpoint, so its timeline may be newer. */
export const isSameServer = (one: ServerIdentity, other: ServerIdentity): boolean =>
  one.system === other.system &&
  one.started_at === other.started_at &&
  one.is_standby === other.is_standby &&
  (one.is_standby || one.timeline === other.timeline)

const selectIdentity = `
  select is_standby, system_identifier::text as system, pg_backend_pid() as pid,
    extract(epoch from pg_postmaster_start_time())::text as started_at,
    case when is_standby then (select timeline_id from pg_control_checkpoint())
      else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline
  from (select pg_is_in_recovery() as is_standby offset 0) as state, pg_control_system()`

/** Another claim to be the primary counts if it arrives within this after the first. */
const rivalsMs = 200

type Options = pg.ClientConfig & {
  connectionTimeoutMillis: number
  onClient?: (client: pg.Client) => void
}

/**
 * Asks all hosts at once. Takes the primary; of several that claim to be it, the one with the highest
 * timeline, then the first in the list. Without a primary it takes a standby.
 */
export async function connectToBest(hosts: Hosts, options: Options): Promise<ProvenClient> {
  const proven = new Map<Connection, ProvenClient>()
  let isChosen = false
  const attempts = hosts.map(async (host) => {
    const one = await connectToHost(host, options)
    if (isChosen) return close(one)
    proven.set(host, one)
    // Waits for nothing more if there is only this host.
    if (!one.identity.is_standby && hosts.length > 1) await sleep(rivalsMs)
    return one.identity.is_standby ? Promise.reject(noPrimary()) : undefined
  })
  await Promise.any(attempts).catch(() => {})
  isChosen = true
  const candidates = hosts.flatMap((host) => proven.get(host) ?? [])
  const [best, ...others] = candidates.sort(
    ({ identity: one }, { identity: other }) =>
      Number(one.is_standby) - Number(other.is_standby) || other.timeline - one.timeline,
  )
  for (const other of others) close(other)
  if (best) return best
  const reasons = await Promise.all(attempts.map((attempt) => attempt.catch((error) => error)))
  // A wrong password says more than a host that is down.
  throw reasons.find((reason) => !isUnavailable(reason)) ?? reasons[0]
}

async function connectToHost(
  host: Connection,
  { onClient = () => {}, ...options }: Options,
): Promise<ProvenClient> {
  const client = new pg.Client({ ...options, ...host })
  client.on('error', () => {})
  onClient(client)
  // A frozen server accepts connections and does not respond to the statement.
  const giveUp = () => client.connection.stream.destroy(new Error('timeout expired'))
  const timer = setTimeout(giveUp, options.connectionTimeoutMillis)
  try {
    await client.connect()
    return { client, host, identity: await readIdentity(client) }
  } catch (error) {
    close({ client })
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function close({ client }: Pick<ProvenClient, 'client'>): undefined {
  void client.end().catch(() => {})
}

const noPrimary = () => new Error('This server is a standby.')

/** The server responds, but must not be used. The message is for operators. */
export class UnusableServerError extends Error {
  override readonly name = 'UnusableServerError'
}
