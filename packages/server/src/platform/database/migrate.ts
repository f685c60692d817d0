import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Connection } from './pool.ts'

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** Any number; all starters of one database take the same lock and migrate one after the other. */
const migrationLock = 7_203_550

type Migration = { name: string; sql: string; sha256: string }

/** Brings the database to the form this code expects. Safe to run at any time, by several at once. */
export async function migrate(
  connection: Connection,
  afterwards: () => Promise<void>,
  only?: readonly string[],
): Promise<string[]> {
  const client = new pg.Client({ ...connection, application_name: 'emojid-migrate' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const applied = await apply(client, await readMigrations(), only)
    await afterwards()
    return applied
  } finally {
    await client.end()
  }
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function apply(
  client: pg.Client,
  migrations: Migration[],
  only?: readonly string[],
): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`)
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations order by name',
  )
  for (const row of rows) assertKnown(row, migrations)
  const unknown = only?.find((wanted) => !migrations.some(({ name }) => name === wanted))
  if (unknown) throw new Error(`Migration ${unknown} is not known to this version.`)
  const pending = migrations
    .filter(({ name }) => !rows.some((row) => row.name === name))
    .filter(({ name }) => only?.includes(name) ?? true)
  for (const migration of pending) await applyOne(client, migration)
  return pending.map(({ name }) => name)
}

async function applyOne(client: pg.Client, { name, sql, sha256 }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
      name,
      sha256,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`Migration ${name} failed; nothing of it was kept.`, { cause: error })
  }
}

function assertKnown(applied: { name: string; sha256: string }, migrations: Migration[]): void {
  const known = migrations.find(({ name }) => name === applied.name)
  if (!known) {
    throw new Error(
      `The database has migration ${applied.name}, which this version does not know. ` +
        'Start the newer version that made it, or restore a backup from before.',
    )
  }
  if (known.sha256 !== applied.sha256) {
    throw new Error(
      `Migration ${applied.name} was changed after it was applied. ` +
        'Put its old text back and write the change as a new migration.',
    )
  }
}
