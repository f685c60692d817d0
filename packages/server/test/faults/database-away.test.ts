import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { withProbes } from '../support/probe.ts'
import { type DatabaseProxy, databaseProxy } from '../support/proxy.ts'
import { type TestService, testService } from '../support/service.ts'

let database: TestDatabase
let proxy: DatabaseProxy
let service: TestService

beforeEach(async () => {
  database = await testDatabase()
  proxy = await databaseProxy(database.connection, database.url)
  service = await testService({ databaseUrl: proxy.url, override: withProbes })
})
afterEach(async () => {
  proxy.heal()
  await service.close()
  await proxy.close()
  await database.drop()
})

const timed = async (path: string) => {
  const started = Date.now()
  const answer = await service.get(path)
  return { ...answer, ms: Date.now() - started }
}

describe.each(['cut', 'freeze'] as const)('while the database is away (%s)', (way) => {
  it('says 503 soon, stays alive, serves what needs no database, and recovers by itself', async () => {
    expect((await timed('/api/probe/rows')).status).toBe(200)
    proxy[way]()
    const first = await timed('/api/probe/rows')
    await expect
      .poll(async () => (await timed('/health/ready')).status, { timeout: 2_000 })
      .toBe(503)
    for (const needy of [first, await timed('/api/probe/rows')]) {
      expect(needy.status).toBe(503)
      expect(needy.headers.get('retry-after')).toBe('1')
      expect(needy.json()).toMatchObject({ code: 'database_away' })
      expect(needy.ms).toBeLessThan(2_000)
    }
    expect((await timed('/health/live')).status).toBe(200)
    expect((await timed('/api/emoji')).status).toBe(200)
    expect((await timed('/api/emoji_id/%F0%9F%94%A5/metadata')).status).toBe(200)

    proxy.heal()
    const healed = Date.now()
    await expect
      .poll(async () => (await timed('/api/probe/rows')).status, { timeout: 5_000 })
      .toBe(200)
    expect((await timed('/health/ready')).status).toBe(200)
    expect(Date.now() - healed).toBeLessThan(5_000)
  })
})

describe('a request in the moment the database goes', () => {
  it('gets 503, not a crash', async () => {
    const asked = Promise.all(Array.from({ length: 20 }, () => timed('/api/probe/rows')))
    proxy.cut()
    const statuses = new Set((await asked).map(({ status }) => status))

    expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true)
  })
})

describe('while only the connection that hears of changes is lost', () => {
  it('answers every lookup from the database, and forgets what it may have missed', async () => {
    const path = `/api/emoji_id/${encodeURIComponent('🔥🐍')}`
    const status = async () => (await service.get(path)).status
    // What was cut before is there again.
    await expect.poll(status, { timeout: 5_000 }).toBe(200)
    const client = new pg.Client(database.connection)
    await client.connect()
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like 'emojid-monitor-%' and datname = current_database()`,
    )
    await client.end()
    for (const end = Date.now() + 600; Date.now() < end; ) {
      expect(await status()).toBe(200)
      expect((await service.get('/api/probe/rows')).status).toBe(200)
    }
  })
})

describe('a process that stood still', () => {
  it('does not take its own sleep for one of the database', async () => {
    for (let round = 0; round < 3; round++) {
      // Somewhere between two questions, or within one.
      await sleep(80 * round)
      const end = Date.now() + 1_500
      while (Date.now() < end);
      await sleep(50)
      expect((await service.get('/health/ready')).status).toBe(200)
    }
    expect(service.logged.join()).not.toContain('does not answer')
  })
})
