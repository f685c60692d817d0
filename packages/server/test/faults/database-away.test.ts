import { parseEmojiId } from '@emojid/core'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { asServiceError, transact } from '../../src/platform/database/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { withProbes } from '../support/probe.ts'
import { type DatabaseProxy, databaseProxy } from '../support/proxy.ts'
import { type TestService, testService } from '../support/service.ts'

const id = parseEmojiId('🔥🐍')
const path = `/api/emoji_id/${encodeURIComponent(id)}`
let database: TestDatabase
let proxy: DatabaseProxy
/** Another process, whose connections the proxy does not cut. */
let writer: TestService
let service: TestService

beforeAll(async () => {
  writer = await testService({ override: withProbes })
  database = writer.database as TestDatabase
  proxy = await databaseProxy(database.connection, database.url)
  service = await testService({ databaseUrl: proxy.url, override: withProbes, isHurried: true })
})
afterEach(async () => {
  proxy.heal()
  await expect.poll(() => status('/health/ready')).toBe(200)
  // The pool has no broken connections once several requests in a row succeed.
  const paths = ['/api/probe/rows', path]
  const ask = () =>
    Promise.all(Array.from({ length: 10 }, () => paths.map((one) => status(one))).flat())
  await expect.poll(async () => [...new Set(await ask())]).toEqual([200])
})
afterAll(async () => {
  await service.close()
  await proxy.close()
  await writer.close()
})

const status = async (path: string, process = service) => (await process.get(path)).status

// R9: stress/outage.ts measures the seconds of both.
describe.each(['cut', 'freeze'] as const)('during a database outage (%s)', (way) => {
  it('the service responds 503, stays alive, serves requests without a database, and recovers by itself', async () => {
    await expect.poll(() => status('/api/probe/rows')).toBe(200)
    proxy[way]()
    const first = await service.get('/api/probe/rows')
    await expect.poll(() => status('/health/ready')).toBe(503)
    const later = await service.get('/api/probe/rows')
    for (const needy of [first, later]) {
      expect([needy.status, needy.headers.get('retry-after')]).toEqual([503, '1'])
    }
    expect(later.json()).toMatchObject({ code: 'unavailable_database' })
    expect(await status('/health/live')).toBe(200)
    expect(await status('/api/emoji')).toBe(200)
    expect(await status('/auth/jwks')).toBe(200)
    expect(await status('/api/emoji_id/%F0%9F%94%A5/metadata')).toBe(200)

    proxy.heal()
    await expect.poll(() => status('/api/probe/rows')).toBe(200)
    await expect.poll(() => status('/health/ready')).toBe(200)
  })
})

describe('a request during the disconnect', () => {
  it('a request during the disconnect gets 503, not a crash', async () => {
    const pendingRequests = Promise.all(Array.from({ length: 20 }, () => status('/api/probe/rows')))
    proxy.cut()
    const statuses = [...new Set(await pendingRequests)]

    expect(statuses.every((one) => one === 200 || one === 503)).toBe(true)
  })
})

describe('while only the notification connection is lost', () => {
  it('every lookup comes from the database, and possibly stale entries are dropped', async () => {
    const client = new pg.Client(database.connection)
    await client.connect()
    const listeners = async (select: string): Promise<number[]> => {
      const { rows } = await client.query(
        `select ${select} from pg_stat_activity
         where application_name like 'emojid-monitor-%' and datname = current_database()`,
      )
      return rows.map(({ pid }) => pid)
    }
    await expect.poll(() => listeners('pid')).not.toEqual([])
    const lostListeners = await listeners('pid, pg_terminate_backend(pid)')
    const isBack = async () => {
      const pids = await listeners('pid')
      return pids.filter((pid) => !lostListeners.includes(pid)).length === lostListeners.length
    }
    expect(lostListeners).not.toEqual([])
    // The patient service: on a busy machine a reconnect may take the other long enough for an outage.
    for (let hasReturned = false; !hasReturned; hasReturned = await isBack()) {
      expect(await status(path, writer)).toBe(200)
      expect(await status('/api/probe/rows', writer)).toBe(200)
    }
    expect(await status(path, writer)).toBe(200)
    await client.end()
  })
})

describe('a paused process', () => {
  /** Like a process that the system does not schedule. */
  const standStill = (ms: number) =>
    void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

  it('a paused process does not mistake its own pause for a database outage', async () => {
    standStill(3_000)
    // Enough for the monitor to poll again.
    for (let n = 0; n < 20; n++) expect(await status('/api/probe/rows')).toBe(200)
    expect(await status('/health/ready')).toBe(200)
  })

  it('a paused process is busy for a query whose response it did not read in time', async () => {
    const client = new pg.Client({ ...database.connection, query_timeout: 100 })
    await client.connect()
    const error = client.query('select 1').catch(asServiceError)
    standStill(200)

    expect(await error).toMatchObject({ code: 'busy' })
    await client.end()
  })
})

const write = (text: string) =>
  transact(writer.db, (trx) =>
    writer.edits.writeDemoRecords(trx, id, [{ tag: '0x5001', data: text }]),
  )

/** The current value of an id, or the status of the refusal. */
async function read(process: TestService): Promise<string | number> {
  const answer = await process.get(path)
  if (answer.status !== 200) return answer.status
  return answer.json<{ result: { data: string }[] }>().result[0]?.data ?? ''
}

/** Repeats lookups until one comes from the cache. */
async function remember(process: TestService) {
  await expect.poll(() => read(process)).not.toBe(503)
  for (let n = 0; n < 3; n++) await read(process)
}

describe('a change', () => {
  it('a change is seen by the next lookup of the same process, every time', async () => {
    for (let n = 0; n < 5; n++) {
      const racing = Promise.all([read(writer), read(writer), read(writer)])
      await write(`same ${n}`)
      expect(await read(writer)).toBe(`same ${n}`)
      await racing
    }
  })

  // stress/lookups.ts measures that each takes less than a second.
  it('made by any SQL statement is seen', async () => {
    await remember(writer)
    await sql`update record_sets set records = '[{"tag":"0x5001","data":"by hand","hash":"${sql.raw('0'.repeat(64))}"}]'
      where emoji_id = ${id}`.execute(writer.db)
    await expect.poll(() => read(writer), { interval: 10 }).toBe('by hand')
  })

  it('a change is seen by another process', async () => {
    await remember(service)
    for (let n = 0; n < 3; n++) {
      await write(`other ${n}`)
      await expect.poll(() => read(service), { interval: 10 }).toBe(`other ${n}`)
    }
  })

  it.each(['cut', 'freeze'] as const)(
    'is not hidden by the cache while the connection is lost (%s)',
    async (way) => {
      await write('before')
      await expect.poll(() => read(service)).toBe('before')
      await remember(service)
      proxy[way]()
      await write('after')
      await expect.poll(() => read(service)).toBe(503)
      const values = new Set<string | number>()
      for (let n = 0; n < 3; n++) values.add(await read(service))
      expect([...values]).toEqual([503])
      proxy.heal()
      const healed: (string | number)[] = []
      const isHealed = async () => healed.push(await read(service)) > 0 && healed.at(-1) !== 503
      await expect.poll(isHealed).toBe(true)
      // The earlier cache is dropped before the first response.
      expect(healed.at(-1)).toBe('after')
    },
  )

  it('made while the listener was disconnected is seen after the reconnect', async () => {
    await remember(service)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'emojid-monitor-%'`.execute(
      writer.db,
    )
    await write('unheard')
    await expect.poll(() => read(service)).toBe('unheard')
  })
})
