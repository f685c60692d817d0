import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { withProbes } from '../support/probe.ts'
import { type DatabaseProxy, databaseProxy } from '../support/proxy.ts'
import { type TestService, testService } from '../support/service.ts'

let database: TestDatabase
let proxy: DatabaseProxy
let service: TestService

beforeAll(async () => {
  database = await testDatabase()
  proxy = await databaseProxy(database.connection, database.url)
  service = await testService({ databaseUrl: proxy.url, override: withProbes, isHurried: true })
})
afterEach(async () => {
  proxy.heal()
  await expect.poll(() => status('/health/ready')).toBe(200)
  // The pool has no broken connections once several requests in a row succeed.
  const paths = ['/api/probe/rows', `/api/emoji_id/${encodeURIComponent('🔥🐍')}`]
  const ask = () => Promise.all(Array.from({ length: 10 }, () => paths.map(status)).flat())
  await expect.poll(async () => [...new Set(await ask())]).toEqual([200])
})
afterAll(async () => {
  await service.close()
  await proxy.close()
  await database.drop()
})

const status = async (path: string) => (await service.get(path)).status

// R9: stress/outage.ts measures the seconds of both.
describe.each(['cut', 'freeze'] as const)('during a database outage (%s)', (way) => {
  it('the service responds 503, stays alive, serves requests without a database, and recovers by itself', async () => {
    expect(await status('/api/probe/rows')).toBe(200)
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
    expect(await status('/api/emoji_id/%F0%9F%94%A5/metadata')).toBe(200)

    proxy.heal()
    await expect.poll(() => status('/api/probe/rows')).toBe(200)
    await expect.poll(() => status('/health/ready')).toBe(200)
  })
})

describe('a request during the disconnect', () => {
  it('gets 503, not a crash', async () => {
    const pendingRequests = Promise.all(Array.from({ length: 20 }, () => status('/api/probe/rows')))
    proxy.cut()
    const statuses = [...new Set(await pendingRequests)]

    expect(statuses.every((one) => one === 200 || one === 503)).toBe(true)
  })
})

describe('while only the notification connection is lost', () => {
  it('every lookup comes from the database, and possibly stale entries are dropped', async () => {
    const path = `/api/emoji_id/${encodeURIComponent('🔥🐍')}`
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
    const isBack = async () => (await listeners('pid')).some((pid) => !lostListeners.includes(pid))
    expect(lostListeners).not.toEqual([])
    for (let hasReturned = false; !hasReturned; hasReturned = await isBack()) {
      expect(await status(path)).toBe(200)
      expect(await status('/api/probe/rows')).toBe(200)
    }
    expect(await status(path)).toBe(200)
    await client.end()
  })
})

describe('a paused process', () => {
  /** Like a process that the system does not schedule. */
  const standStill = (ms: number) =>
    void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

  it('does not mistake its own pause for a database outage', async () => {
    standStill(3_000)
    // Enough for the monitor to poll again.
    for (let n = 0; n < 20; n++) expect(await status('/api/probe/rows')).toBe(200)
    expect(await status('/health/ready')).toBe(200)
  })
})
