import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Connection } from '../pool.ts'
import { listSequences, listTables, quoteName, type Table } from './catalogue.ts'
import { formatVersion, type Manifest, manifestFile, type TableDump } from './manifest.ts'

type Progress = (line: string) => void

/** Writes a consistent snapshot of the database into a new folder, while the service runs. */
export async function backUp(
  connection: Connection,
  folder: string,
  progress: Progress,
): Promise<Manifest> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new Error(
      `${folder} already exists, and a backup never overwrites a folder. Name another one.`,
    )
  })
  const client = new pg.Client({ ...connection, application_name: 'emojid-backup' })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    const manifest: Manifest = {
      format: formatVersion,
      made_at: new Date().toISOString(),
      migrations: (await client.query('select name, sha256 from schema_migrations order by name'))
        .rows,
      job_migration: (await client.query('select max(id) as id from graphile_worker.migrations'))
        .rows[0].id,
      tables: [],
      sequences: await listSequences(client),
    }
    for (const table of await listTables(client)) {
      const dump = await dumpTable(client, folder, table)
      manifest.tables.push(dump)
      progress(`${table.schema}.${table.name}: ${dump.rows} rows`)
    }
    await client.query('commit')
    await writeFile(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    } as object)
    return manifest
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  } finally {
    await client.end()
  }
}

async function dumpTable(client: pg.Client, folder: string, table: Table): Promise<TableDump> {
  const file = `${table.schema}.${table.name}.copy.gz`
  const columns = table.columns.map((column) => `"${column}"`).join(', ')
  const rows = client.query(copyTo(`copy ${quoteName(table)} (${columns}) to stdout`))
  const hash = createHash('sha256')
  const hashingTransform = new Transform({
    transform(chunk, _encoding, callback) {
      hash.update(chunk)
      callback(null, chunk)
    },
  })
  const target = createWriteStream(join(folder, file), { mode: 0o600, flush: true })
  await pipeline(rows, createGzip(), hashingTransform, target)
  return { ...table, rows: rows.rowCount, file, sha256: hash.digest('hex') }
}
