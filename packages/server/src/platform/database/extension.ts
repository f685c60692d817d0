import type pg from 'pg'
import { isNotAllowed } from './faults.ts'

/** Finds text by any part of it; lists of operators are searched with it. */
const name = 'pg_trgm'

/** Adds to the database what PostgreSQL has and a new database has not. */
export async function addExtension(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select exists (select from pg_extension where extname = $1) as added,
       exists (select from pg_available_extensions where name = $1) as available`,
    [name],
  )
  if (rows[0].added) return
  if (!rows[0].available) throw new MissingExtensionError()
  await client.query(`create extension if not exists ${name}`).catch((error) => {
    throw isNotAllowed(error) ? new ExtensionNotAllowedError() : error
  })
}

class MissingExtensionError extends Error {
  override readonly name = 'MissingExtensionError'
  constructor() {
    super(
      `The PostgreSQL server of DATABASE_URL has no extension ${name}. ` +
        'Install the additional modules that are published with PostgreSQL (contrib) on it.',
    )
  }
}

class ExtensionNotAllowedError extends Error {
  override readonly name = 'ExtensionNotAllowedError'
  constructor() {
    super(
      `The user of DATABASE_URL may not add the extension ${name} to this database. ` +
        'Make it the owner of the database, or grant it CREATE on the database, ' +
        `or have a superuser run there: create extension ${name}`,
    )
  }
}
