import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import { isUnavailable } from './faults.ts'
import { connectToBest, type Hosts, type ProvenClient, UnusableServerError } from './hosts.ts'
import type { Connection } from './pool.ts'

/** How long the first connection may take, unless `connection` says otherwise. */
export const firstContactMs = 5_000

/**
 * Connects to a server of a supported version. The first contact with the server, so problems with
 * its address are reported here.
 */
export async function connectToSupported(
  connection: Connection,
  application_name: string,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionTimeoutMillis: firstContactMs,
    ...connection,
    application_name,
  })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw unreachable(error)
  }
  const { rows } = await client.query('show server_version_num')
  const number = Number(rows[0].server_version_num)
  if (number >= 150_000) return client
  await client.end()
  const version = Math.floor(number / 10_000)
  throw new Error(`DATABASE_URL names a PostgreSQL ${version} server; 15 or later is needed.`)
}

const retryMs = 1_000
const triesPerMessage = 5

/**
 * Waits until a server responds and `prepare` has run on it: after a power cut the service may start
 * before its database. What time does not mend, such as a wrong password, is an error.
 */
export async function waitForServer(
  hosts: Hosts,
  connectionTimeoutMillis: number,
  log: Log,
  prepare: (server: ProvenClient) => Promise<unknown>,
): Promise<ProvenClient> {
  for (let tries = 0; ; tries++) {
    try {
      const options = { connectionTimeoutMillis, application_name: 'emojid-start' }
      const server = await connectToBest(hosts, options).catch((error) => {
        throw error instanceof UnusableServerError ? error : unreachable(error)
      })
      try {
        await prepare(server)
        return server
      } finally {
        void server.client.end().catch(() => {})
      }
    } catch (error) {
      if (!isUnavailable(error) && !isUnavailable((error as Error).cause)) throw error
      if (tries % triesPerMessage === 0) log.warn(`${(error as Error).message} Waiting for it.`)
      await sleep(retryMs)
    }
  }
}

function unreachable(error: unknown): Error {
  const { message, code = 'no response' } = error as { message: string; code?: string }
  return new Error(`The database at DATABASE_URL can’t be reached: ${message || code}.`, {
    cause: error,
  })
}
