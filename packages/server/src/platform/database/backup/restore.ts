import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { selectBusyWorkers } from '../../jobs/jobs.ts'
import type { Log } from '../../log/log.ts'
import { addExtension } from '../extension.ts'
import {
  applyMissing,
  applyOne,
  assertKnown,
  prepareTable,
  readMigrations,
  withMigrationLock,
} from '../migrate.ts'
import { migrateJobQueue } from '../open.ts'
import type { Connection } from '../pool.ts'
import { quoteName } from './catalogue.ts'
import { type Manifest, readManifest } from './manifest.ts'

type Options = {
  connection: Connection
  folder: string
  log: Log
  progress: (line: string) => void
}

/** Restores a backup into an empty database, in one transaction. */
export async function restore({ connection, folder, log, progress }: Options): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const migrations = await readMigrations()
  assertKnown(manifest.migrations, migrations)
  const knownMigrations = migrations.filter(({ name }) =>
    manifest.migrations.some((migration) => migration.name === name),
  )

  await withMigrationLock(connection, log, async (client) => {
    await assertEmpty(client)
    await migrateJobQueue(connection, log)
    try {
      await client.query('begin')
      // The tables first get the schema of the backup; newer migrations then run on its rows.
      await prepareTable(client)
      await addExtension(client)
      for (const migration of knownMigrations) await applyOne(client, migration)
      await load(client, folder, manifest, progress)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      await client.query('drop schema if exists graphile_worker cascade').catch(() => {})
      throw error
    }
    await applyMissing(client)
  })
  return manifest
}

/**
 * Requires a database without tables, views, functions and types, so that a restore never
 * overwrites data. Objects of extensions do not count: a superuser may have added ours before.
 */
async function assertEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`
    select to_regnamespace('graphile_worker') is null
      and not exists (select from pg_class where relnamespace = 'public'::regnamespace)
      and not exists (select from pg_proc where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend
          where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'))
      and not exists (select from pg_type where typnamespace = 'public'::regnamespace
        and typcategory <> 'A'
        and not exists (select from pg_depend
          where classid = 'pg_type'::regclass and objid = pg_type.oid and deptype = 'e'))
      as empty`)
  if (!rows[0].empty) {
    throw new Error(
      'The database is not empty, and a restore never overwrites one. ' +
        'Point DATA_DIR at an empty folder, or DATABASE_URL at an empty database.',
    )
  }
}

async function load(
  client: pg.Client,
  folder: string,
  { tables, sequences }: Manifest,
  progress: (line: string) => void,
): Promise<void> {
  // Migrations may insert rows; the backup contains those.
  await client.query(`truncate ${tables.map(quoteName).join(', ')} cascade`)
  for (const table of tables) {
    const columns = table.columns.map((column) => `"${column}"`).join(', ')
    // The backup has the rows that triggers wrote.
    await client.query(`alter table ${quoteName(table)} disable trigger user`)
    const sink = client.query(copyFrom(`copy ${quoteName(table)} (${columns}) from stdin`))
    await pipeline(createReadStream(join(folder, table.file)), createGunzip(), sink)
    if (sink.rowCount !== table.rows) {
      throw new Error(`${table.file} should hold ${table.rows} rows and holds ${sink.rowCount}.`)
    }
    await client.query(`alter table ${quoteName(table)} enable trigger user`)
    progress(`${table.schema}.${table.name}: ${table.rows} rows`)
  }
  for (const sequence of sequences) {
    await client.query('select setval($1, $2)', [quoteName(sequence), sequence.last_value])
  }
  // Jobs that ran during the backup.
  await client.query(
    `select graphile_worker.force_unlock_workers(array_agg(worker)) from (${selectBusyWorkers}) as busy`,
  )
}
