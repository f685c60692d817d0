import type pg from 'pg'
import { isNotAllowed } from './faults.ts'

/** Trigram search, used by the lists of operators. */
const name = 'pg_trgm'

/** Adds the extension to a new database. */
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
      `The PostgreSQL server of DATABASE_URL lacks the extension ${name}. ` +
        "Install PostgreSQL's additional modules (contrib) on it.",
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
