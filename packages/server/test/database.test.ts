import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { transact, transactOutsideRequest } from '../src/platform/database/database.ts'
import { migrateAll } from '../src/platform/database/open.ts'
import { noteWithEffect } from '../src/platform/database/request-context.ts'
import { type DemoSeed, seedDemo } from '../src/platform/demo/seed.ts'
import { addJob } from '../src/platform/jobs/jobs.ts'
import { createLog } from '../src/platform/log/log.ts'
import type { Tables } from '../src/tables.ts'
import { testDatabase } from './support/database.ts'
import { execute } from './support/global-setup.ts'
import { type TestService, testService } from './support/service.ts'

const log = createLog('silent')
const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** A database with a worker that runs two tasks. */
let service: TestService
const ran: unknown[] = []
let tries = 0
beforeAll(async () => {
  const tasks = {
    'probe.note': async (payload: unknown) => void ran.push(payload),
    'probe.flaky': async () => {
      if (++tries === 1) throw new Error('not yet')
    },
  }
  service = await testService({
    env: { ROLES: 'worker' },
    override: (container) => ({ ...container, jobs: [{ tasks }] }),
  })
})
afterAll(() => service.close())

async function connectedDatabase(from: 'empty' | 'template') {
  const database = await testDatabase(from)
  cleanUps.push(database.drop)
  const client = new pg.Client(database.connection)
  await client.connect()
  cleanUps.push(() => client.end())
  return { ...database, client }
}

/** For use once the database is gone. */
const dropRole = (role: string) => execute(inject('postgres').connection, `drop role ${role}`)

describe('migrations', () => {
  it('reject a database changed by a newer version', async () => {
    const { connection, client } = await connectedDatabase('template')
    await client.query(
      `insert into schema_migrations (name, sha256) values ('9999_future.sql', '')`,
    )

    await expect(migrateAll(connection, log)).rejects.toThrow('9999_future.sql, which this version')
  })

  it('reject a database from before the first release', async () => {
    const { connection, client } = await connectedDatabase('template')
    await client.query(
      `update schema_migrations set name = '0001_foundation.sql' where name like '0001%'`,
    )

    await expect(migrateAll(connection, log)).rejects.toThrow(
      'The data has migration 0001_foundation.sql, which this version does not know. ' +
        'It is from before the first release, and such data cannot be updated. ' +
        'Start with an empty database, or use the version that wrote the data.',
    )
  })

  it('reject a changed applied migration', async () => {
    const { connection, client } = await connectedDatabase('template')
    await client.query(`update schema_migrations set sha256 = 'other' where name like '0001%'`)

    await expect(migrateAll(connection, log)).rejects.toThrow('0001_platform.sql was changed')
  })

  it('of a user without the right to add an extension end with a sentence; then they run once for any number of concurrent starts', async () => {
    const { url, client } = await connectedDatabase('empty')
    const role = `emojid_${randomUUID().replaceAll('-', '')}`
    const { rows } = await client.query('select current_database() as name')
    await client.query(`create role ${role} login password 'hunter2'`)
    cleanUps.unshift(() => dropRole(role))
    await client.query(`grant create on schema public to ${role}`)
    const otherUrl = new URL(url)
    otherUrl.username = role
    otherUrl.password = 'hunter2'
    const connection = { connectionString: otherUrl.href }

    await expect(migrateAll(connection, log)).rejects.toThrow(
      'may not add the extension pg_trgm to this database. Make it the owner of the database',
    )
    await client.query('create extension pg_trgm')
    // The job queue has its own schema.
    await client.query(`grant create on database ${rows[0].name} to ${role}`)
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrateAll(connection, log)))
    expect(runs.filter((names) => names.includes('0001_platform.sql'))).toHaveLength(1)
    expect(await migrateAll(connection, log)).toEqual([])
    const stored = await client.query('select name from schema_migrations order by name')
    expect(stored.rows[0]).toEqual({ name: '0001_platform.sql' })
    expect(new Set(stored.rows.map(({ name }) => name)).size).toBe(stored.rows.length)
  })
})

describe('the changes of a request', () => {
  it('the changes of a request are audited in the same transaction, except separate transactions', async () => {
    const { db } = service
    const events: string[] = []
    const note = async () => void events.push('an effect')
    await noteWithEffect(note, () =>
      transactOutsideRequest(db, (trx) => sql`select 1`.execute(trx)),
    )
    expect(events).toEqual([])
    await noteWithEffect(note, () => transact(db, (trx) => sql`select 1`.execute(trx)))
    expect(events).toEqual(['an effect'])
  })
})

describe('a transaction', () => {
  it('that requests a second connection fails in tests, and a later query does not', async () => {
    const readOutside = () => sql`select 1`.execute(service.db)
    const nested = transact(service.db, async (trx) => {
      await sql`select 1`.execute(trx)
      await readOutside()
    })
    await expect(nested).rejects.toThrow('second connection')
    expect((await readOutside()).rows).toHaveLength(1)
  })
})

describe('a job', () => {
  it('runs exactly if the transaction that added it commits', async () => {
    const { db } = service
    await transact(db, async (trx) => {
      await addJob(trx, 'probe.note', { n: 1 })
      throw new Error('rolled back')
    }).catch(() => {})
    await transact(db, (trx) => addJob(trx, 'probe.note', { n: 2 }))

    await expect.poll(() => ran).toEqual([{ n: 2 }])
  })

  it('a job is retried after a failure', async () => {
    const { db } = service
    await addJob(db, 'probe.flaky')
    const failed = sql`select last_error from graphile_worker.jobs where attempts = 1`
    await expect
      .poll(async () => (await failed.execute(db)).rows)
      .toEqual([{ last_error: expect.stringContaining('not yet') }])
    // The retry would run some seconds later.
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(db)
    await expect.poll(() => tries).toBe(2)
  })
})

describe('an integer from the database', () => {
  it('an integer from the database is a number, or an error where a number would lose precision', async () => {
    const { db } = service
    const { rows } = await sql`select 9007199254740991::int8 as large`.execute(db)

    expect(rows).toEqual([{ large: Number.MAX_SAFE_INTEGER }])
    await expect(sql`select 9007199254740992::int8 as large`.execute(db)).rejects.toThrow(
      'too large',
    )
  })
})

describe('demonstration data', () => {
  it('demonstration data is never written to a database that a demonstration did not create', async () => {
    const { url, client } = await connectedDatabase('template')
    await client.query('delete from demo_seeds')
    await (await testService({ databaseUrl: url })).close()
    const { rows } = await client.query('select count(*)::int as n from emoji_ids')

    expect(rows).toEqual([{ n: 0 }])
  })

  it('demonstration data is announced even if the start fails after it', async () => {
    const notices: string[] = []
    const start = testService({
      isDemoNew: true,
      announce: (line) => notices.push(line),
      override: (container) => ({
        ...container,
        get jobs(): never {
          throw new Error('broken jobs')
        },
      }),
      env: { ROLES: 'api,worker' },
    })

    await expect(start).rejects.toThrow('broken jobs')
    expect(notices).toContainEqual(expect.stringMatching(/^Administrator: /))
  })

  const seed = (name: string, fail = false): DemoSeed<Tables> => ({
    name,
    async write(trx) {
      await sql`insert into probe values (${name})`.execute(trx)
      if (fail) throw new Error('broken seed')
    },
  })

  it('demonstration data is written once per database, completely or not at all', async () => {
    const { db } = service
    await sql`create table probe (name text)`.execute(db)

    await expect(seedDemo(db, [seed('first'), seed('broken', true)])).rejects.toThrow('broken seed')
    expect(await seedDemo(db, [seed('first'), seed('second')])).toEqual(['second'])
    const { rows } = await sql`select name from probe order by name`.execute(db)
    expect(rows).toEqual([{ name: 'first' }, { name: 'second' }])
  })
})
