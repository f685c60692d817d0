import pg from 'pg'
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
    throw new Error(
      `The database at DATABASE_URL can’t be reached: ${(error as Error).message || 'no response'}.`,
      { cause: error },
    )
  }
  const { rows } = await client.query('show server_version_num')
  const number = Number(rows[0].server_version_num)
  if (number >= 150_000) return client
  await client.end()
  const version = Math.floor(number / 10_000)
  throw new Error(`DATABASE_URL names a PostgreSQL ${version} server; 15 or later is needed.`)
}
