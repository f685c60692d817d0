import { parseEmojiId } from '@emojid/core'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { asServiceError, createDatabase, transact } from '../../src/platform/database/database.ts'
import { connectToBest, hostsOf } from '../../src/platform/database/hosts.ts'
import { type DatabaseMonitor, monitorDatabase } from '../../src/platform/database/monitor.ts'
import { createPool } from '../../src/platform/database/pool.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { testDatabase } from '../support/database.ts'
import { fenceOn } from '../support/fence.ts'
import { execute, inDatabase } from '../support/global-setup.ts'
import { type DatabaseProxy, databaseProxy } from '../support/proxy.ts'
import { type StreamingPair, streamingPair } from '../support/replica.ts'
import { type TestService, testService } from '../support/service.ts'

const id = parseEmojiId('🔥🐍')
const path = `/api/emoji_id/${encodeURIComponent(id)}`
const log = createLog('silent')
/** The primary, until the test of the promotion. It stays up afterwards, as a former primary. */
let pair: StreamingPair
/** On the first server, for good. */
let former: TestService
let toFirst: DatabaseProxy
let toSecond: DatabaseProxy

beforeAll(async () => {
  pair = await streamingPair()
  former = await testService({ databaseUrl: pair.primary.url, env: { SEED_DEMO: 'true' } })
  toFirst = await databaseProxy(pair.primary.connection, pair.primary.url)
  toSecond = await databaseProxy(pair.replica.connection, pair.replica.url)
})
afterAll(async () => {
  await former.close()
  await toFirst.close()
  await toSecond.close()
  await pair.stop()
})

async function startOn(databaseUrl: string, env: Record<string, string> = {}) {
  const service = await testService({
    databaseUrl,
    isHurried: true,
    env: { SEED_DEMO: 'false', ROLES: 'api', REPLICA_MAX_BEHIND_SECONDS: '60', ...env },
  })
  onTestFinished(() => service.close())
  return service
}

const write = (service: TestService, text: string) =>
  transact(service.db, (trx) =>
    service.edits.writeDemoRecords(trx, id, [{ tag: '0x5001', data: text }]),
  ).then(
    () => 'saved',
    (error) => (asServiceError(error) as { code?: string }).code,
  )

/** The value of the id, or the status of the refusal. */
async function read(service: TestService): Promise<string | number | undefined> {
  const answer = await service.get(path)
  if (answer.status !== 200) return answer.status
  return answer.json<{ result: { data: string }[] }>().result[0]?.data
}

type Health = { obstacles?: string[]; database?: { state: string; behind_ms: number } }
const health = async (service: TestService) => (await service.get('/health/ready')).json<Health>()

/** `postgres://user@one:5432,two:5432/name` */
const severalHosts = (...urls: string[]): string => {
  const [first = '', ...others] = urls
  const hosts = others.map((url) => new URL(url).host)
  return first.replace(new URL(first).host, (host) => [host, ...hosts].join())
}

const closedPort = 'postgres://emojid@127.0.0.1:9/emojid'

describe('a connection pooler in transaction mode', () => {
  it('a connection pooler in transaction mode makes the start refuse with the reason', async () => {
    toFirst.pool()
    onTestFinished(() => toFirst.heal())
    await expect(startOn(toFirst.url)).rejects.toThrow('leads to a connection pooler')
  })

  it('a connection pooler ends the lease of cached rows, because notices may be lost', async () => {
    const monitor: DatabaseMonitor = monitorDatabase(await fenceOn(toFirst.url), log)
    onTestFinished(() => monitor.stop())
    await expect.poll(monitor.isCurrent).toBe(true)
    toFirst.pool()
    await expect.poll(monitor.isAway).toBe(true)
    expect([monitor.isCurrent(), monitor.reason()]).toEqual([
      false,
      expect.stringContaining('connection pooler'),
    ])
    toFirst.heal()
    await expect.poll(monitor.isCurrent).toBe(true)
  })
})

describe('a start', () => {
  it('a start waits for the database', async () => {
    toFirst.cut()
    const start = startOn(toFirst.url)
    await expect.poll(toFirst.refusals).toBeGreaterThan(1)
    toFirst.heal()
    expect((await (await start).get('/health/ready')).status).toBe(200)
  })

  it('a start on a missing database fails at once', async () => {
    const url = pair.primary.url.replace('/emojid?', '/missing?')
    await expect(startOn(url)).rejects.toThrow('database "missing" does not exist')
  })

  it('a start on a standby without our migrations fails and says what to do', async () => {
    await execute(pair.primary.connection, 'create database bare')
    const url = pair.replica.url.replace('/emojid?', '/bare?')
    const copy = inDatabase(pair.replica.connection, 'bare')
    const isCopied = () => execute(copy, 'select').then(Boolean, () => 'not yet')
    await expect.poll(isCopied).toBe(false)
    await expect(startOn(url)).rejects.toThrow('standby without the migration 0001')
  })
})

describe('a database that was set to read-only', () => {
  it('a database that was set to read-only refuses changes with 503 until it allows them', async () => {
    const database = await testDatabase()
    onTestFinished(database.drop)
    const service = await startOn(database.url)
    const set = (mode: 'on' | 'off') =>
      execute(
        inject('postgres').connection,
        `alter database ${new URL(database.url).pathname.slice(1)}
         set default_transaction_read_only = ${mode}`,
      )
    const register = () =>
      service.post('/api/users', { email: 'a@example.com', password: 'seven blue herons at dawn' })
    await set('on')
    await execute(
      database.connection,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await expect
      .poll(async () => (await register()).json<{ code: string }>().code)
      .toBe('read_only_database')
    const refused = await register()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await read(service)).toBe(404)
    await set('off')
    // Its connections were discarded: those of sessions that began read-only stay read-only.
    await expect.poll(async () => (await register()).status).toBe(200)
  })
})

describe('a commit', () => {
  it('a commit may outlast the time limit of a statement; a lost one is reported as unknown', async () => {
    const database = await testDatabase('empty')
    const fence = await fenceOn(database.url)
    const monitor = monitorDatabase(fence, log)
    const pool = createPool({ connection: fence, size: 2, log, limitMs: 400, name: 'commits' })
    const db = createDatabase<Record<string, never>>(pool, monitor)
    onTestFinished(async () => {
      await monitor.stop()
      await pool.end()
      await database.drop()
    })
    // The commit waits as it would for a synchronous standby.
    await execute(
      database.connection,
      `create table slow (n int);
       create function wait() returns trigger language plpgsql as
         'begin perform pg_sleep(new.n); return null; end';
       create constraint trigger wait after insert on slow deferrable initially deferred
         for each row execute function wait()`,
    )
    const commit = (seconds: number) =>
      transact(db, (trx) => sql`insert into slow values (${seconds})`.execute(trx))
    await commit(1)
    await expect(sql`select pg_sleep(1)`.execute(db)).rejects.toThrow('statement timeout')

    const lostCommit = commit(60).catch((error) => error)
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'commit%'`
    const client = new pg.Client(database.connection)
    await client.connect()
    onTestFinished(() => client.end())
    await expect.poll(async () => (await client.query(end)).rowCount).toBe(1)
    expect(await lostCommit).toMatchObject({ kind: 'unavailable', code: 'unknown_outcome' })
  })
})

describe('another database', () => {
  it('another database behind the same address is refused', async () => {
    const database = await testDatabase('empty')
    onTestFinished(database.drop)
    const fence = await fenceOn(database.url)
    const other = await connectToBest(hostsOf(pair.primary.url), {
      connectionTimeoutMillis: 60_000,
    })
    await other.client.end()
    expect(() => fence.adopt(other)).toThrow(/leads to another database .* Restart this process/)
  })
})

describe('a promotion', () => {
  it('a process on a standby only reads until its promotion; others move to it, and never serve a row of the former primary', async () => {
    await write(former, 'before')
    const standby = await startOn(pair.replica.url, { ROLES: 'api,worker' })
    await expect.poll(() => read(standby)).toBe('before')
    expect(await health(standby)).toMatchObject({ database: { state: 'read-only' } })
    expect(await write(standby, 'refused')).toBe('read_only_database')

    const several = await startOn(severalHosts(closedPort, toSecond.url, toFirst.url))
    expect((await health(several)).database).toBeUndefined()
    expect(await read(several)).toBe('before')

    await pair.promote()
    await expect.poll(() => write(standby, 'after')).toBe('saved')
    expect((await health(standby)).database).toBeUndefined()
    expect(await write(former, 'lost')).toBe('saved')
    await expect.poll(() => read(several)).toBe('after')
    expect(await read(standby)).toBe('after')

    // One address, which leads to either server.
    const either = await databaseProxy(pair.replica.connection, pair.replica.url)
    onTestFinished(() => either.close())
    const single = await startOn(either.url)
    expect(await read(single)).toBe('after')
    either.lead(pair.primary.connection)
    // The monitor stays on the new primary; the next connections of the pool lead to the former one.
    await execute(
      pair.replica.connection,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'emojid-lookups-%'`,
    )
    const answers = new Set<unknown>()
    for (let n = 0; n < 10; n++) {
      await write(standby, `after ${n}`)
      answers.add(await read(single))
      answers.add(await read(several))
    }
    expect(answers).not.toContain('lost')
    either.dropAll()
    await expect
      .poll(async () => (await health(single)).obstacles)
      .toEqual([expect.stringContaining('former primary')])
    expect(await read(single)).toBe(503)
    either.lead(pair.replica.connection)
    await expect.poll(() => read(single)).toBe('after 9')
  })
})
