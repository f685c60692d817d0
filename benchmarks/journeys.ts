import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../packages/server/src/platform/database/embedded/server.ts'
import { createLog } from '../packages/server/src/platform/log/log.ts'
import { freePort, launchReady, newPlace } from '../packages/server/test/support/process.ts'
import { cheapId } from './directory.ts'
import { buildEarlier } from './earlier-build.ts'

/** The last commit before a purchase was loaded once and the writes were counted. */
const before = '64739b36'
const rounds = 20
const warmUpRounds = 3
const admin = { email: 'admin@example.com', password: 'the admin of the benchmark' }
const password = 'a password hard to guess'
const addresses = [
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
]

type Cost = { statements: number; transactions: number; database_ms: number }
type Round = Record<string, Cost>
type Tokens = { access_token: string; refresh_token: string }

/**
 * The cost of one person's journeys at the database, before and after: statements with begin and
 * commit, and the time that PostgreSQL logs for them. Both builds use one server in turns.
 */
export async function compareJourneys() {
  process.stderr.write(`Building ${before}\n`)
  const earlier = buildEarlier(before)
  const server = await startServer()
  try {
    const sides = {
      before: await openSide(server, 'before', earlier.program),
      after: await openSide(server, 'after'),
    }
    const measured: { before: Round; after: Round }[] = []
    for (let n = 0; n < warmUpRounds + rounds; n++) {
      const isFlipped = n % 2 === 1
      const first = await (isFlipped ? sides.after : sides.before).walk(n)
      const second = await (isFlipped ? sides.before : sides.after).walk(n)
      const round = isFlipped ? { before: second, after: first } : { before: first, after: second }
      if (n >= warmUpRounds) measured.push(round)
    }
    await sides.before.close()
    await sides.after.close()
    return { commit_before: before, rounds, ...summarize(measured) }
  } finally {
    await server.stop()
    earlier.remove()
  }
}

function summarize(measured: readonly { before: Round; after: Round }[]) {
  const names = Object.keys(measured[0]?.after ?? {})
  const figuresOf = (side: 'before' | 'after', name: string) => {
    const of = (key: keyof Cost) => median(measured.map((one) => one[side][name]?.[key] ?? 0))
    const database_ms = Number(of('database_ms').toFixed(2))
    return { statements: of('statements'), transactions: of('transactions'), database_ms }
  }
  return Object.fromEntries(
    names.map((name) => {
      const ratios = measured.map(
        (one) => (one.after[name]?.database_ms ?? 0) / (one.before[name]?.database_ms ?? 1),
      )
      const database_ratio = Number(median(ratios).toFixed(2))
      return [
        name,
        { before: figuresOf('before', name), after: figuresOf('after', name), database_ratio },
      ]
    }),
  )
}

/** A PostgreSQL that logs every statement with its duration. */
async function startServer() {
  const place = await newPlace()
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line).msg) })
  const postgres = await startEmbeddedPostgres({ dataDir: `${place.folder}/pg`, log })
  const { host, user } = postgres.connection
  const client = new pg.Client(postgres.connection)
  await client.connect()
  await client.query(`alter system set log_line_prefix = '%a '`)
  await client.query('alter system set log_min_duration_statement = 0')
  await client.query('select pg_reload_conf()')
  return {
    lines,
    async createDatabase(name: string): Promise<string> {
      await client.query(`create database ${name}`)
      return `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host ?? '')}`
    },
    async connect(database: string) {
      const connection = new pg.Client({ ...postgres.connection, database })
      await connection.connect()
      return connection
    },
    /** Waits until the log has all earlier statements. */
    async flush() {
      const mark = `mark ${randomUUID()}`
      await client.query(`select '${mark}'`)
      while (!lines.some((line) => line.includes(mark))) await new Promise(setImmediate)
    },
    async stop() {
      await client.end()
      await postgres.stop()
      await place.clear()
    },
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

async function openSide(server: Server, name: string, program?: string) {
  const place = await newPlace()
  const service = await launchReady(
    {
      ...place.env,
      DATABASE_URL: await server.createDatabase(name),
      SANDBOX_PAYMENTS: 'true',
      SANDBOX_PORT: String(await freePort()),
      // Without jobs, all of whose statements would count for the journey at that moment.
      ROLES: 'api',
      LOG_LEVEL: 'error',
      SEED_DEMO: 'false',
      TRUST_PROXY: '127.0.0.1',
      DEV_PAGES: 'false',
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
    },
    program,
  )
  process.once('exit', () => service.child.kill())
  const call = async <Result>(method: string, path: string, token = '', body?: object) => {
    const answer = await fetch(`${service.url}/api${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.1`,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text) as Result
  }
  const own = new RegExp(
    `^emojid-(requests|lookups)-${service.child.pid} .*?duration: ([\\d.]+) ms`,
  )
  const observer = await server.connect(name)
  const cost = async (work: () => Promise<unknown>): Promise<Cost> => {
    // The sequencer numbers the events of all requests later, which is no part of this one.
    const unnumbered = 'select from events where number is null limit 1'
    while ((await observer.query(unnumbered)).rows.length > 0) await sleep(20)
    await sleep(100)
    await server.flush()
    server.lines.length = 0
    await work()
    await server.flush()
    // Every process reads the prices from time to time, for all buyers.
    const lines = server.lines.filter((line) => own.test(line) && !line.includes('"price_tables"'))
    return {
      statements: lines.filter((line) => / ms {2}(execute|statement)/.test(line)).length,
      transactions: lines.filter((line) => / ms {2}statement: (begin|start)/i.test(line)).length,
      database_ms: lines.reduce((sum, line) => sum + Number(own.exec(line)?.[2]), 0),
    }
  }
  const { access_token: operator } = await call<Tokens>('POST', '/auth/token', '', admin)
  const redemption_code = 'EVERYTHING'
  await call('POST', '/admin/codes', operator, {
    name: 'Everything',
    code_type: 'Discount',
    activator: 'RedemptionCode',
    redemption_code,
    discount_as_percentage: 100,
  })

  /** One person's journeys, each with its cost. */
  const walk = async (n: number): Promise<Round> => {
    const account = { email: `n-${n}@example.com`, password }
    const tokens = await call<Tokens>('POST', '/users', operator, { ...account, activate: true })
    const { access_token: token, refresh_token } = tokens
    const emoji_id = cheapId(n)
    const path = `/emoji_id/${encodeURIComponent(emoji_id)}`
    const edit = (data?: string) =>
      call('PATCH', path, token, { insert: [{ tag: '0x1003', data }] })
    const add = await cost(() => call('POST', '/cart', token, { items: [{ emoji_id }] }))
    const rest = await cost(async () => {
      await call('POST', '/cart/checkout', token, { method: 'CardCheckout' })
      await call('POST', '/cart/promo_code', token, { code: redemption_code })
      await call('POST', '/cart/checkout', token, { method: 'Free' })
    })
    await edit(addresses[0])
    return {
      add_to_cart: add,
      buy_with_code: {
        statements: add.statements + rest.statements,
        transactions: add.transactions + rest.transactions,
        database_ms: add.database_ms + rest.database_ms,
      },
      edit: await cost(() => edit(addresses[1])),
      sign_in: await cost(() => call('POST', '/auth/token', '', account)),
      refresh: await cost(() => call('POST', '/auth/token/refresh', '', { refresh_token })),
    }
  }
  return {
    walk,
    async close() {
      await observer.end()
      service.child.kill('SIGTERM')
      await service.exited
      await place.clear()
    },
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
