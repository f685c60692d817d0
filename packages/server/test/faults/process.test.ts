import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRunningPostgres } from '../../src/platform/database/embedded/server.ts'
import { testDatabase } from '../support/database.ts'
import { freePort, launch, launchReady, place, type ServiceProcess } from '../support/process.ts'

let here: Awaited<ReturnType<typeof place>>
/** With a database that is there already, which is sooner than making one. */
let elsewhere: { env: Record<string, string>; clear(): Promise<void> }
/** On the data folder of `here`; most tests look at one and the same. */
let service: ServiceProcess

beforeAll(async () => {
  here = await place()
  elsewhere = await otherPlace()
})
afterAll(async () => {
  await stop(service)
  await here.clear()
  await elsewhere.clear()
})

async function stop({ child, exited }: ServiceProcess): Promise<number | null> {
  child.kill('SIGTERM')
  return exited
}

async function otherPlace() {
  const [{ env, clear }, database] = [await place(), await testDatabase()]
  return {
    env: { ...env, DATABASE_URL: database.url },
    async clear() {
      await clear()
      await database.drop()
    },
  }
}

const lookupPath = `/api/emoji_id/${encodeURIComponent('🔥🐍')}`
const status = async (url: string) => (await fetch(url)).status

async function database() {
  const connection = await findRunningPostgres(here.env.DATA_DIR)
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  return client
}

describe('a service on its own data folder', () => {
  it('starts from nothing, answers, and says where things are', async () => {
    service = await launchReady(here.env)

    expect(await status(`${service.url}/api/emoji`)).toBe(200)
    await expect.poll(service.output).toContain(`curl http://localhost:${here.env.PORT}/api/emoji`)
  })

  it('counts every lookup on a port of its own, also those in front of the router', async () => {
    for (let n = 0; n < 5; n++) await fetch(`${service.url}${lookupPath}`)
    const text = await (await fetch(`http://127.0.0.1:${here.env.METRICS_PORT}/metrics`)).text()
    const lookups = text
      .split('\n')
      .filter((line) => /^http_short_lookups_total|seconds_count.*:emoji_id"/.test(line))
      .map((line) => Number(line.split(' ').at(-1)))

    expect(lookups.reduce((sum, count) => sum + count, 0)).toBe(5)
    expect(text).toContain('database_pool_lookups_connections')
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
  })

  it('brings PostgreSQL back when that is killed, without a restart of its own', async () => {
    const client = await database()
    const { rows } = await client.query(`select pg_read_file('postmaster.pid') as file`)
    process.kill(Number.parseInt(rows[0].file, 10), 'SIGKILL')
    const works = (check: Promise<unknown>) =>
      check.then(
        () => true,
        () => false,
      )

    await expect.poll(() => works(client.query('select'))).toBe(false)
    await expect.poll(() => works(database().then((fresh) => fresh.end()))).toBe(true)
    await expect.poll(() => status(`${service.url}/health/ready`)).toBe(200)
    expect(service.child.exitCode).toBeNull()
  })

  // R2: how soon is measured by stress/restart.ts.
  it('is ready again after kill −9, with all that was acknowledged and no unfinished start', async () => {
    const client = await database()
    await client.query('create table if not exists kept (n int)')
    await client.query('insert into kept values (1)')
    service.child.kill('SIGKILL')
    await service.exited
    const home = join(here.env.DATA_DIR, 'postgres')
    const left = ['cluster.99', 'postgres-1.2.3-beta.4.draft-99', 'postgres-1.2.3-beta.4']
    for (const name of left) await mkdir(join(home, name), { recursive: true })
    service = await launchReady(here.env)
    const fresh = await database()
    const { rows } = await fresh.query('select count(*)::int as n from kept')
    await fresh.end()

    expect(rows).toEqual([{ n: 1 }])
    // A finished version of PostgreSQL stays.
    expect((await readdir(home)).filter((name) => left.includes(name))).toEqual([left[2]])
  })
})

describe('a service that cannot start', () => {
  it.each([
    { why: 'a wrong variable', env: { PORT: 'many' }, sentence: 'PORT is "many"' },
    {
      why: 'a data folder that cannot be made',
      env: { DATA_DIR: '/proc/nothing' },
      sentence: 'DATA_DIR /proc/nothing cannot be used',
    },
    {
      why: 'no database at its address',
      env: { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:9/x' },
      sentence: 'The database at DATABASE_URL cannot be reached',
    },
  ])('for $why ends with status 1 and a sentence', async ({ env, sentence }) => {
    const { exited, output } = launch({ ...here.env, ...env })

    expect(await exited, output()).toBe(1)
    expect(output()).toContain(sentence)
    expect(output()).not.toContain('hunter2')
    expect(output()).not.toMatch(/^\s+at /m)
  })

  it('for data of a running service names its process', async () => {
    const ports = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) }
    const second = launch({ ...here.env, ...ports })

    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(
      `DATA_DIR ${here.env.DATA_DIR} is already in use by a running service (process ${service.child.pid})`,
    )
  })

  it.each(['PORT', 'METRICS_PORT'] as const)('for a taken port names %s', async (variable) => {
    const second = launch({ ...elsewhere.env, [variable]: here.env[variable] })

    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(`${variable} ${here.env[variable]} is taken`)
  })
})

describe('two processes that start at once', () => {
  it('make the first administrator together', async () => {
    const shared = await testDatabase()
    const holder = new pg.Client(shared.connection)
    await holder.connect()
    // Both come as far as writing the account: neither has found the other's.
    await holder.query('begin; lock table users in share mode')
    const places = await Promise.all([place(), place()])
    const env = {
      ...{ DATABASE_URL: shared.url, SEED_DEMO: 'false' },
      ...{ ADMIN_EMAIL: 'first@example.com', ADMIN_PASSWORD: 'seven blue herons at dawn' },
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    const both = Promise.all(places.map((one) => launchReady({ ...one.env, ...env })))
    const waiting = `select 1 from pg_locks where relation = 'users'::regclass and not granted`
    await expect.poll(async () => (await holder.query(waiting)).rowCount).toBe(2)
    await holder.query('commit')
    const started = await both
    const { rows } = await holder.query('select email, role from users')
    await holder.end()
    for (const one of started) await stop(one)
    await shared.drop()
    for (const one of places) await one.clear()

    expect(rows).toEqual([{ email: 'first@example.com', role: 'Admin' }])
  })
})

// R8: how many seconds it takes is measured by stress/outage.ts.
describe('SIGTERM beside clients that keep their connections', () => {
  it('ends with 0: one never finishes its request, one never reads that we closed', async () => {
    const { url } = service
    const open = async (...requests: string[]) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => {})
      for (const request of requests) {
        socket.write(request)
        await once(socket, 'data')
      }
      return socket
    }
    const lookup = `GET ${lookupPath} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const half =
      'POST /api/emoji_id/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{'
    const [unfinished, unread] = [await open(lookup), await open(lookup)]
    unfinished.write(half)
    unread.pause()
    // What comes later is answered: the half request was read.
    expect(await status(`${url}/health/live`)).toBe(200)

    expect(await stop(service)).toBe(0)
    unfinished.destroy()
    unread.destroy()
  })
})

describe('SIGTERM under load', () => {
  it('is not ready while it still answers, fails no accepted request, and ends with 0', async () => {
    service = await launchReady({ ...here.env, DRAIN_SECONDS: '4' })
    const { url, child, exited } = service
    const client = async () => {
      const outcomes: (number | string)[] = []
      while (outcomes.at(-1) !== 'ECONNREFUSED') {
        await sleep(100)
        outcomes.push(
          await fetch(`${url}/api/emoji`).then(
            async (answer) => {
              await answer.arrayBuffer()
              answered++
              return answer.status
            },
            (error) => (error.cause?.code as string) ?? String(error),
          ),
        )
      }
      return outcomes
    }
    let answered = 0
    const clients = Promise.all(Array.from({ length: 10 }, client))
    await expect.poll(() => answered).toBeGreaterThan(50)
    // Remembered: from now on it would be answered in front of the router.
    await fetch(`${url}${lookupPath}`)
    child.kill('SIGTERM')
    await expect.poll(() => status(`${url}/health/ready`), { interval: 5 }).toBe(503)
    const lookup = await fetch(`${url}${lookupPath}`)
    const before = answered
    const code = await exited
    const outcomes = await clients

    expect([lookup.status, lookup.headers.get('connection')]).toEqual([200, 'close'])
    expect(code).toBe(0)
    expect(answered).toBeGreaterThan(before)
    for (const all of outcomes) {
      const last = all.lastIndexOf(200)
      expect(new Set(all.slice(0, last + 1))).toEqual(new Set([200]))
      // A connection that still stood in the system's queue when the door closed is reset by the
      // system, not by us: once at most, and never before another answer.
      const refused = all.slice(last + 1).filter((outcome) => outcome === 'ECONNREFUSED')
      expect(all.length - last - 1 - refused.length).toBeLessThanOrEqual(1)
    }
  })
})
