import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/database/embedded/server.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { testDatabase } from '../support/database.ts'
import { freePort, launch, launchReady, newPlace, type ServiceProcess } from '../support/process.ts'
import { testService } from '../support/service.ts'

/** The jobs of the demonstration draw pictures, which takes as long as a start. */
async function newPlaceWithoutDemo() {
  const { env, ...rest } = await newPlace()
  return { ...rest, env: { ...env, SEED_DEMO: 'false' } }
}

let place: Awaited<ReturnType<typeof newPlaceWithoutDemo>>
/** A place without a running service. */
let elsewhere: typeof place
/** On the data folder of `place`. Most tests use the same one; two of them stop it. */
let service: ServiceProcess

beforeAll(async () => {
  place = await newPlaceWithoutDemo()
  elsewhere = await newPlaceWithoutDemo()
  service = await launchService()
})
afterAll(async () => {
  await stop(service)
  await place.clear()
  await elsewhere.clear()
})

const launchService = () => launchReady({ ...place.env, DRAIN_SECONDS: '10' })

async function restartIfStopped() {
  if (service.child.exitCode !== null) service = await launchService()
}

async function stop({ child, exited }: ServiceProcess): Promise<number | null> {
  child.kill('SIGTERM')
  return exited
}

const lookupPath = `/api/emoji_id/${encodeURIComponent('🔥🐍')}`
const status = async (url: string) => (await fetch(url)).status

async function database() {
  const connection = await findRunningPostgres(place.env.DATA_DIR)
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  return client
}

describe('a service on its own data folder', () => {
  beforeEach(restartIfStopped)

  it('starts from an empty folder, responds, and prints its URLs', async () => {
    expect(await status(`${service.url}/api/emoji`)).toBe(200)
    await expect.poll(service.output).toContain(`curl http://localhost:${place.env.PORT}/api/emoji`)
  })

  it('counts every lookup on its metrics port, including those in front of the router', async () => {
    for (let n = 0; n < 5; n++) await fetch(`${service.url}${lookupPath}`)
    const metrics = `http://127.0.0.1:${place.env.METRICS_PORT}/metrics`
    const text = await (await fetch(metrics)).text()
    const postedAnswer = await fetch(metrics, { method: 'POST' })
    const lookups = text
      .split('\n')
      .filter((line) => /^http_short_lookups_total|seconds_count.*:emoji_id"/.test(line))
      .map((line) => Number(line.split(' ').at(-1)))

    expect(lookups.reduce((sum, count) => sum + count, 0)).toBe(5)
    expect(text).toContain('database_pool_lookups_connections')
    expect(text).toMatch(/^event_streams_open 0$/m)
    expect(text).toMatch(/^event_sequencer_lag_seconds \d/m)
    expect(text).toMatch(/^webhook_deliveries_undelivered \d/m)
    expect(text).toMatch(/^webhook_oldest_due_seconds \d/m)
    expect([postedAnswer.status, postedAnswer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
  })

  it('restarts a killed PostgreSQL without restarting itself', async () => {
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
})

describe('a service that cannot start', () => {
  beforeEach(restartIfStopped)

  it('without a database says what it waits for, without secrets, until a signal ends it', async () => {
    const { child, exited, output } = launch({
      ...elsewhere.env,
      DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:9/x',
      SEED_DEMO: 'false',
    })
    await expect
      .poll(output)
      .toContain('The database at DATABASE_URL can’t be reached: connect ECONNREFUSED')
    child.kill('SIGTERM')
    await exited

    expect(child.signalCode).toBe('SIGTERM')
    expect(output()).not.toContain('hunter2')
  })

  it('on data of a running service names its process', async () => {
    const { DATA_DIR } = place.env
    const startedPostgres = startEmbeddedPostgres({ dataDir: DATA_DIR, log: createLog('silent') })

    await expect(startedPostgres).rejects.toThrow(
      `DATA_DIR ${DATA_DIR} is already in use by a running service (process ${service.child.pid})`,
    )
  })

  it('on a data folder that cannot be created names it', async () => {
    const startedPostgres = startEmbeddedPostgres({
      dataDir: '/proc/nothing',
      log: createLog('silent'),
    })

    await expect(startedPostgres).rejects.toThrow('DATA_DIR /proc/nothing cannot be used')
  })

  it('on a taken port ends with status 1 and a sentence that names its variable', async () => {
    const database = await testDatabase()
    const { PORT } = place.env
    const { exited, output } = launch({
      ...elsewhere.env,
      PORT,
      DATABASE_URL: database.url,
      SEED_DEMO: 'false',
    })

    expect(await exited).toBe(1)
    expect(output()).toContain(`PORT ${PORT} is taken`)
    expect(output()).not.toMatch(/^\s+at /m)
    await database.drop()
  })

  it.each(['PORT', 'SANDBOX_PORT'])(
    'on a taken %s prints no administrator; the next start writes and prints the demonstration',
    async (name) => {
      const database = await testDatabase('empty')
      const env = {
        ...elsewhere.env,
        SANDBOX_PORT: String(await freePort()),
        DATABASE_URL: database.url,
        SEED_DEMO: 'true',
        SANDBOX_PAYMENTS: 'true',
        // Without jobs: those of the demonstration draw pictures.
        ROLES: 'api,web',
      }
      const taken = place.env.PORT
      const { exited, output } = launch({ ...env, [name]: taken })
      expect(await exited).toBe(1)
      expect(output()).toContain(`${name} ${taken} is taken`)
      expect(output()).not.toContain('Administrator:')

      const next = await launchReady(env)
      await expect.poll(next.output).toContain('The Emoji Id Directory is ready.')
      const lookup = await fetch(`${next.url}${lookupPath}`)
      expect(await stop(next)).toBe(0)
      await database.drop()
      expect(lookup.status).toBe(200)
      expect(next.output()).toMatch(
        /^Administrator: admin@example.com with the password \S+ \(shown once\)$/m,
      )
      expect(next.output()).toMatch(
        /^Code for random ids: \S+, key \S+, private \S+ \(shown once\)$/m,
      )
    },
  )
})

describe('two services that start at once', () => {
  it('create the first administrator once', async () => {
    const sharedDatabase = await testDatabase()
    const holder = new pg.Client(sharedDatabase.connection)
    await holder.connect()
    // Both reach the write of the account, or the lock of its address, before either sees the other's.
    await holder.query('begin; lock table users in share mode')
    const env = {
      ROLES: 'api',
      SEED_DEMO: 'false',
      ADMIN_EMAIL: 'first@example.com',
      ADMIN_PASSWORD: 'seven blue herons at dawn',
    }
    const start = () => testService({ databaseUrl: sharedDatabase.url, env })
    const both = Promise.all([start(), start()])
    const lockQuery = `select 1 from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(async () => (await holder.query(lockQuery)).rowCount).toBe(2)
    await holder.query('commit')
    const started = await both
    const { rows } = await holder.query('select email, role from users')
    await holder.end()
    for (const one of started) await one.close()
    await sharedDatabase.drop()

    expect(rows).toEqual([{ email: 'first@example.com', role: 'Super' }])
  })
})

// R8: stress/outage.ts measures the seconds.
describe('SIGTERM under load', () => {
  beforeEach(restartIfStopped)

  /** A connection on which a lookup was answered. */
  async function connectionTo(url: string) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`GET ${lookupPath} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await once(socket, 'data')
    return socket
  }

  it('reports not ready, fails no accepted request, and ends with 0 despite clients that never finish', async () => {
    const { url, child, exited } = service
    const client = await database()
    await client.query(
      `insert into emoji_ids (emoji_id, display_format, generation) values ('🔥🐍', '🔥🐍', 1)`,
    )
    await client.end()
    const [unfinishedSocket, unreadSocket] = [await connectionTo(url), await connectionTo(url)]
    unfinishedSocket.write(
      'POST /api/emoji_id/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
    )
    unreadSocket.pause()
    const sendRequests = async () => {
      const outcomes: (number | string)[] = []
      while (outcomes.at(-1) !== 'ECONNREFUSED') {
        await sleep(100)
        outcomes.push(
          await fetch(`${url}/api/emoji`).then(
            async (answer) => {
              await answer.arrayBuffer()
              answeredCount++
              return answer.status
            },
            (error) => (error.cause?.code as string) ?? String(error),
          ),
        )
      }
      return outcomes
    }
    let answeredCount = 0
    const clients = Promise.all(Array.from({ length: 4 }, sendRequests))
    await expect.poll(() => answeredCount).toBeGreaterThan(20)
    // Cached: from now on it would be answered in front of the router.
    await fetch(`${url}${lookupPath}`)
    child.kill('SIGTERM')
    await expect.poll(() => status(`${url}/health/ready`), { interval: 5 }).toBe(503)
    const lookup = await fetch(`${url}${lookupPath}`)
    const before = answeredCount
    await expect.poll(() => answeredCount).toBeGreaterThan(before)
    const code = await exited
    const outcomes = await clients
    unfinishedSocket.destroy()
    unreadSocket.destroy()

    expect([lookup.status, lookup.headers.get('connection')]).toEqual([200, 'close'])
    expect(code).toBe(0)
    for (const all of outcomes) {
      const last = all.lastIndexOf(200)
      expect(new Set(all.slice(0, last + 1))).toEqual(new Set([200]))
      // The system resets connections still in its queue at the close: once at most, and never
      // before another response.
      const refusals = all.slice(last + 1).filter((outcome) => outcome === 'ECONNREFUSED')
      expect(all.length - last - 1 - refusals.length).toBeLessThanOrEqual(1)
    }
  })
})

// R2: stress/restart.ts kills the whole service, again and again.
describe('a data folder after kill −9', () => {
  const moduleAt = (path: string) => new URL(`../../dist/platform/${path}.js`, import.meta.url).href
  /** Only PostgreSQL and its lock on the folder: the rest of the service takes seconds to load. */
  const program = () => `
    import { startEmbeddedPostgres } from '${moduleAt('database/embedded/server')}'
    import { createLog } from '${moduleAt('log/log')}'
    const dataDir = ${JSON.stringify(place.env.DATA_DIR)}
    await startEmbeddedPostgres({ dataDir, log: createLog('silent') })
    process.stdout.write('ready')
    setInterval(() => {}, 60_000)`

  it('a data folder after kill −9 has all acknowledged writes, and nothing of a partial start', async () => {
    await stop(service)
    const child = spawn(process.execPath, ['--input-type=module', '-e', program()])
    const exited = once(child, 'exit')
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    // A program that fails closes its output without this word.
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
    expect(output).toBe('ready')
    const client = await database()
    await client.query('create table writes (n int); insert into writes values (1)')
    child.kill('SIGKILL')
    await exited
    const home = join(place.env.DATA_DIR, 'postgres')
    const leftovers = ['cluster.99', 'postgres-1.2.3-beta.4.draft-99', 'postgres-1.2.3-beta.4']
    for (const name of leftovers) await mkdir(join(home, name), { recursive: true })
    const postgres = await startEmbeddedPostgres({
      dataDir: place.env.DATA_DIR,
      log: createLog('silent'),
    })
    const next = await database()
    const { rows } = await next.query('select n from writes')
    await next.end()
    await postgres.stop()

    expect(rows).toEqual([{ n: 1 }])
    // A completely unpacked PostgreSQL stays.
    expect((await readdir(home)).filter((name) => leftovers.includes(name))).toEqual([leftovers[2]])
  })
})
