import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Log } from '../../log/log.ts'
import { migrateAll } from '../open.ts'
import type { Connection } from '../pool.ts'
import { quoted } from './catalogue.ts'
import { type Manifest, readManifest } from './manifest.ts'

type Options = {
  connection: Connection
  folder: string
  log: Log
  progress: (line: string) => void
}

/** Fills an empty database from a backup: all of it or nothing. */
export async function restore({ connection, folder, log, progress }: Options): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const client = new pg.Client({ ...connection, application_name: 'emojid-restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    await assertEmpty(client)
    // The database first takes the form it had when the backup was made; newer migrations then
    // find the rows they were written for.
    await migrateAll(
      connection,
      log,
      manifest.migrations.map(({ name }) => name),
    )
    await client.query('begin')
    await load(client, folder, manifest, progress)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (!(error instanceof NotEmptyError)) await empty(client)
    throw error
  } finally {
    await client.end()
  }
  await migrateAll(connection, log)
  return manifest
}

async function assertEmpty(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'graphile_worker') and c.relkind = 'r' limit 1`,
  )
  if (rowCount !== 0) throw new NotEmptyError()
}

/** It was empty before; after a failure it is again, so that the next try can begin. */
async function empty(client: pg.Client): Promise<void> {
  await client
    .query(
      'drop schema if exists graphile_worker cascade; drop schema public cascade; create schema public',
    )
    .catch(() => {})
}

async function load(
  client: pg.Client,
  folder: string,
  { tables, sequences }: Manifest,
  progress: (line: string) => void,
): Promise<void> {
  // Migrations may have put rows of their own into tables; the backup has those, as they were.
  await client.query(`truncate ${tables.map(quoted).join(', ')} cascade`)
  for (const table of tables) {
    const columns = table.columns.map((column) => `"${column}"`).join(', ')
    const sink = client.query(copyFrom(`copy ${quoted(table)} (${columns}) from stdin`))
    await pipeline(createReadStream(join(folder, table.file)), createGunzip(), sink)
    if (sink.rowCount !== table.rows) {
      throw new Error(`${table.file} should hold ${table.rows} rows and holds ${sink.rowCount}.`)
    }
    progress(`${table.schema}.${table.name}: ${table.rows} rows`)
  }
  for (const sequence of sequences) {
    await client.query('select setval($1, $2)', [quoted(sequence), sequence.last_value])
  }
  await unlockJobs(client)
}

/** Whoever worked on a job when the backup was made is not working on this copy of it. */
async function unlockJobs(client: pg.Client): Promise<void> {
  await client.query(
    'update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null',
  )
  await client.query(
    'update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null',
  )
}

class NotEmptyError extends Error {
  override readonly name = 'NotEmptyError'
  constructor() {
    super(
      'The database is not empty, and a restore never overwrites one. ' +
        'Point DATA_DIR at an empty folder, or DATABASE_URL at an empty database.',
    )
  }
}
