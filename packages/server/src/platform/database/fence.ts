import type pg from 'pg'
import type { Log } from '../log/log.ts'
import {
  type Hosts,
  isSameServer,
  readIdentity,
  type ServerIdentity,
  UnusableServerError,
} from './hosts.ts'
import type { Connection } from './pool.ts'

type Server = { identity: ServerIdentity; host: Connection }

/**
 * The server that this process uses. Every connection proves to lead to it before its first
 * statement, and none survives a change of server: a row of a former primary is never cached under a
 * lease of the new one.
 */
export type Fence = {
  hosts: Hosts
  host(): Connection
  isStandby(): boolean
  /** True for a primary that replaces the current server. */
  isSuccessor(identity: ServerIdentity): boolean
  /** Moves to this server; throws if it is another database, or a former primary. */
  adopt(server: Server): void
  /** Rejects a connection that leads to another server. */
  admit(client: pg.ClientBase): Promise<void>
  /** Breaks all admitted connections, also idle ones. */
  dropConnections(reason: string): void
  /** Calls `action` when a connection shows a successor. */
  whenSuccessorSeen(action: () => void): void
}

export function createFence(hosts: Hosts, first: Server, log: Log): Fence {
  let { identity: current, host } = first
  const { system } = current
  /** Of the whole time: a standby of a lower timeline may be used before its promotion only. */
  let { timeline: highestTimeline } = current
  const admitted = new Set<pg.ClientBase>()
  let tellSuccessor = () => {}

  const isSuccessor = (identity: ServerIdentity) =>
    identity.system === system &&
    !identity.is_standby &&
    (identity.timeline > highestTimeline ||
      (current.is_standby && identity.timeline === highestTimeline))
  const dropConnections = (reason: string) => {
    const clients = [...admitted]
    admitted.clear()
    for (const client of clients) breakConnection(client, reason)
  }
  return {
    hosts,
    host: () => host,
    isStandby: () => current.is_standby,
    isSuccessor,
    dropConnections,
    adopt(server) {
      const { identity } = server
      if (identity.system !== system) throw otherDatabase(system, identity.system)
      if (identity.timeline < highestTimeline) {
        throw formerPrimary(identity.timeline, highestTimeline)
      }
      host = server.host
      if (isSameServer(identity, current)) return
      log.warn({ from: current, to: identity }, 'The service uses another database server')
      current = identity
      highestTimeline = identity.timeline
      dropConnections('the database has another primary')
    },
    async admit(client) {
      const identity = await readIdentity(client)
      if (!isSameServer(identity, current)) {
        if (isSuccessor(identity)) tellSuccessor()
        throw new OtherServerError()
      }
      admitted.add(client)
      client.once('end', () => admitted.delete(client))
    },
    whenSuccessorSeen(action) {
      tellSuccessor = action
    },
  }
}

/** As if the socket had failed: the pool forgets the connection at once, and its query rejects. */
export function breakConnection(client: pg.ClientBase, reason: string): void {
  const { connection } = client as unknown as Pick<pg.Client, 'connection'>
  connection.emit('error', new Error(`Connection terminated: ${reason}`))
  connection.stream.destroy()
}

const otherDatabase = (system: string, other: string) =>
  new UnusableServerError(
    `DATABASE_URL leads to another database (system identifier ${other} instead of ${system}). ` +
      'Restart this process if you replaced the database, for example by a restore.',
  )

const formerPrimary = (timeline: number, highest: number) =>
  new UnusableServerError(
    `DATABASE_URL leads to a server of timeline ${timeline}, but timeline ${highest} has begun: ` +
      'it may be a former primary that lacks changes.',
  )

class OtherServerError extends Error {
  override readonly name = 'OtherServerError'
  readonly code = 'OTHER_SERVER'
  constructor() {
    super('The connection leads to another server than the one with the notices.')
  }
}
