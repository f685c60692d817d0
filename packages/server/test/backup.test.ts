import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { backUp } from '../src/platform/database/backup/backup.ts'
import { restore } from '../src/platform/database/backup/restore.ts'
import { addJob } from '../src/platform/jobs/jobs.ts'
import { createLog } from '../src/platform/log/log.ts'
import { startService } from '../src/service.ts'
import { type TestDatabase, testDatabase } from './support/database.ts'
import { execute } from './support/global-setup.ts'
import { logIn, type Person, register } from './support/people.ts'
import { newPlace } from './support/process.ts'
import { type TestService, testService } from './support/service.ts'

const log = createLog('silent')
const progress = () => {}
let service: TestService
let owner: Person
let folder: string
/** One backup of the running service, for all tests that only read it. */
let target: string
const databases: TestDatabase[] = []

beforeAll(async () => {
  service = await testService()
  folder = await mkdtemp(join(tmpdir(), 'emojid-backup-'))
  await service.db
    .insertInto('idempotency_keys')
    .values({
      name_sha256: Buffer.from('tab\there'),
      request_sha256: '/é\\N\t🔥🐍',
      attempt: '00000000-0000-4000-8000-000000000000',
      status: 200,
      body: null,
      started_at: new Date(0),
      created_at: new Date(),
    })
    .execute()
  await addJob(service.db, 'probe.waiting', { n: 1 })
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead'`.execute(
    service.db,
  )
  owner = await register(service)
  target = join(folder, 'whole')
  await backUp(connectionOf(), target, progress)
})
afterAll(async () => {
  await service.close()
  for (const { drop } of databases) await drop()
  await rm(folder, { recursive: true })
})

async function createEmpty() {
  const database = await testDatabase('empty')
  databases.push(database)
  return database
}
/** Stays empty: the restores into it are rejected. */
let refusingDatabase: ReturnType<typeof createEmpty> | undefined
function openRefusing() {
  refusingDatabase ??= createEmpty()
  return refusingDatabase
}

const connectionOf = () => service.database?.connection as pg.ClientConfig

async function contents(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const tables = await client.query<{ name: string; rows: number }>(`
      select table_schema || '.' || table_name as name,
        (xpath('/row/n/text()', query_to_xml(
          format('select count(*) as n from %I.%I', table_schema, table_name), true, true, ''
        )))[1]::text::int as rows
      from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker')
      order by 1`)
    const keys = await client.query('select * from idempotency_keys order by name_sha256')
    const jobs = await client.query('select payload, locked_at from graphile_worker._private_jobs')
    return { tables: tables.rows, keys: keys.rows, jobs: jobs.rows }
  } finally {
    await client.end()
  }
}

describe('a backup', () => {
  it('made while the service runs is restored completely in another database, by one of two concurrent restores, and the service runs on it, but not with new keys', async () => {
    const { connection, url } = await createEmpty()
    // A restore accepts a database that already has the extension.
    await execute(connection, 'create extension pg_trgm')
    for (const file of await readdir(target)) {
      expect((await stat(join(target, file))).mode & 0o777, file).toBe(0o600)
    }
    const both = await Promise.allSettled(
      [1, 2].map(() => restore({ connection, folder: target, log, progress })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [before, after] = [await contents(connectionOf()), await contents(connection)]

    expect(after.tables).toEqual(before.tables)
    expect(after.tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(10)
    expect(after.keys).toEqual(before.keys)
    expect(after.keys).toHaveLength(1)
    expect(after.jobs).toContainEqual({ payload: { n: 1 }, locked_at: null })
    expect(after.jobs).toHaveLength(before.jobs.length)
    expect(after.jobs.filter(({ locked_at }) => locked_at !== null)).toEqual([])
    const second = await testService({ databaseUrl: url })
    // The password, the custodial key and the numbers of new rows are those of the old database.
    const person = await logIn(second, owner)
    const keys = await person.get('/api/pubkeys')
    const change = await person.patch('/api/account', { first_name: 'Anna' })
    await second.close()
    expect([keys.status, change.status]).toEqual([200, 200])
    expect(keys.json()).toEqual((await owner.get('/api/pubkeys')).json())

    const { env, clear } = await newPlace()
    const config = readConfig({ ...env, DATABASE_URL: url, SEED_DEMO: 'true' })
    await expect(startService({ config, log })).rejects.toThrow(
      /^The database holds .*MASTER_KEY.*DATA_DIR\/secrets.*$/,
    )
    expect(existsSync(join(env.DATA_DIR, 'secrets'))).toBe(false)
    await clear()
  })

  it('never overwrites a folder, nor a database with data', async () => {
    await expect(backUp(connectionOf(), target, progress)).rejects.toThrow('already exists')
    const filledManifest = restore({ connection: connectionOf(), folder: target, log, progress })
    await expect(filledManifest).rejects.toThrow('The database is not empty')
  })

  it('a backup with a truncated, changed or missing file is rejected before any write', async () => {
    const { connection } = await openRefusing()
    const harms: [string, (file: string) => Promise<void>][] = [
      ['cut-off', (file) => truncate(file, 5)],
      ['changed', (file) => writeFile(file, 'other')],
      ['missing', (file) => rm(file)],
    ]
    for (const [fault, harm] of harms) {
      const harmed = join(folder, fault)
      await cp(target, harmed, { recursive: true })
      const file = (await readdir(harmed)).find((name) => name.includes('idempotency')) ?? ''
      await harm(join(harmed, file))

      const refusedManifest = restore({ connection, folder: harmed, log, progress })
      await expect(refusedManifest, fault).rejects.toThrow('was changed or truncated')
      await expect(contents(connection), fault).rejects.toThrow('does not exist')
    }
  })

  it('a backup of a newer version is rejected', async () => {
    const newer = join(folder, 'newer')
    const { connection } = await openRefusing()
    await cp(target, newer, { recursive: true })
    const path = join(newer, 'manifest.json')
    const text = await readFile(path, 'utf8')
    await writeFile(
      path,
      text.replace('"migrations": [', '"migrations": [{"name":"9999_x.sql","sha256":""},'),
    )
    const refusedManifest = restore({ connection, folder: newer, log, progress })
    await expect(refusedManifest).rejects.toThrow('9999_x.sql, which this version')
  })

  it('rejected leaves existing data in the database unchanged', async () => {
    const { connection } = await createEmpty()
    await execute(connection, 'create view theirs as select 1 as n')
    const refusedManifest = restore({ connection, folder: target, log, progress })

    await expect(refusedManifest).rejects.toThrow('The database is not empty')
    await execute(connection, 'select n from theirs')
  })

  it('that did not finish is not accepted', async () => {
    const { connection } = await openRefusing()
    const unfinishedManifest = restore({ connection, folder, log, progress })
    await expect(unfinishedManifest).rejects.toThrow('contains no finished backup')
  })
})
