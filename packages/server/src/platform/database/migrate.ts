import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Log } from '../log/log.ts'
import { addExtension } from './extension.ts'
import { isNotAllowed, isStatementFault } from './faults.ts'
import type { Connection } from './pool.ts'
import { connectToSupported } from './server-version.ts'

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** The key of the advisory lock for migrations and restores; the number is arbitrary. */
const migrationLock = 7_203_550

export type Migration = { name: string; sql: string; sha256: string }

/** Runs `work` under the migration lock. */
export async function withMigrationLock<Result>(
  connection: Connection,
  log: Log,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await connectToSupported(connection, 'emojid-migrate')
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as had', [migrationLock])
    if (!rows[0].had) {
      log.info('Another process is migrating the database; waiting for it')
      await client.query('select pg_advisory_lock($1)', [migrationLock])
    }
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Applies the missing migrations, each in its own transaction, and returns their names.
 * `creationSql` runs in the transaction of the first one of all.
 */
export async function applyMissing(client: pg.Client, creationSql?: string): Promise<string[]> {
  const migrations = await readMigrations()
  await prepareTable(client)
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations order by name',
  )
  assertKnown(rows, migrations)
  const pending = migrations.filter(({ name }) => !rows.some((row) => row.name === name))
  if (pending.length > 0) await addExtension(client)
  for (const migration of pending) {
    await client.query('begin')
    try {
      await applyOne(client, migration)
      if (creationSql && migration === migrations[0]) await client.query(creationSql)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw new Error(`Migration ${migration.name} failed and was rolled back.`, {
        cause: error,
      })
    }
  }
  return pending.map(({ name }) => name)
}

/** A standby cannot be migrated: its primary must have all our migrations. */
export async function assertMigrated(client: pg.Client): Promise<void> {
  const { rows } = await client
    .query<{ name: string; sha256: string }>(
      `select name, sha256 from schema_migrations order by name`,
    )
    .catch((error) => {
      if (isStatementFault(error)) return { rows: [] }
      throw error
    })
  const migrations = await readMigrations()
  assertKnown(rows, migrations)
  const missing = migrations.find(({ name }) => !rows.some((row) => row.name === name))
  if (!missing) return
  throw new Error(
    `DATABASE_URL leads to a standby without the migration ${missing.name}. ` +
      'Start a process on the primary first, which migrates the database.',
  )
}

export async function prepareTable(client: pg.Client): Promise<void> {
  await client
    .query(`create table if not exists schema_migrations (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`)
    .catch((error) => {
      throw isNotAllowed(error) ? new NotAllowedError() : error
    })
}

/** Runs in the caller's transaction. */
export async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sql, sha256 } = migration
  await client.query(sql)
  await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256])
}

/** The applied migrations of a database or a backup must be a prefix of ours. */
export function assertKnown(
  applied: readonly { name: string; sha256: string }[],
  migrations: readonly Migration[],
): void {
  for (const { name, sha256 } of applied) {
    const knownMigration = migrations.find((migration) => migration.name === name)
    if (!knownMigration) {
      const isNewer = name > (migrations.at(-1)?.name ?? '')
      throw new Error(
        `The data has migration ${name}, which this version does not know. ` +
          (isNewer
            ? 'Use the newer version that wrote it.'
            : 'It is from before the first release, and such data cannot be updated. ' +
              'Start with an empty database, or use the version that wrote the data.'),
      )
    }
    if (knownMigration.sha256 !== sha256) {
      throw new Error(
        `Migration ${name} was changed after it was applied. ` +
          'Restore its original text and write the change as a new migration.',
      )
    }
  }
}

class NotAllowedError extends Error {
  override readonly name = 'NotAllowedError'
  constructor() {
    super(
      'The user of DATABASE_URL may not create tables in this database. ' +
        'Make it the owner of the database, or grant it CREATE on the database and its schema public.',
    )
  }
}
