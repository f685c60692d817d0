import pg from 'pg'
import type { Connection } from './pool.ts'

/** Reaches the server for the first time, so what is wrong with its address is told here. */
export async function assertSupportedServer(connection: Connection): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new Error(
      `The database at DATABASE_URL cannot be reached: ${(error as Error).message || 'no answer'}.`,
      { cause: error },
    )
  }
  try {
    const { rows } = await client.query('show server_version_num')
    const number = Number(rows[0].server_version_num)
    if (number < 150_000) {
      const version = Math.floor(number / 10_000)
      throw new Error(`DATABASE_URL names a PostgreSQL ${version} server; 15 or later is needed.`)
    }
  } finally {
    await client.end()
  }
}
