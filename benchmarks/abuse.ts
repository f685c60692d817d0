// Measures lookups of other clients beside cheap requests that cause expensive work: ten attacks,
// and the worst request of every route. npm run bench:abuse
// Some only: npm run bench:abuse -- ONLY=floods ROUTES=payment,/proof
// ONLY=requests measures single requests, in the process itself, so it is exact on a busy machine too.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createAttacker, measureRoutes } from './abuse-routes.ts'
import { fillToLimits, operator } from './abuse-stage.ts'
import { fillDirectory, syntheticId } from './directory.ts'
import { load } from './load.ts'
import { report } from './report.ts'
import { setStage } from './stage.ts'

const lookups = { connections: 32, rate: 500, measured_ms: 6_000 }
const paths = Array.from(
  { length: 200 },
  (_, n) => `/api/emoji_id/${encodeURIComponent(syntheticId(n))}`,
)
const large = syntheticId(500)
const person = { email: 'buyer@example.com', password: 'seven blue herons at dawn' }

const options = new Map(process.argv.slice(3).map((text) => text.split('=', 2) as [string, string]))
const parts = options.get('ONLY')?.split(',') ?? ['attacks', 'requests', 'floods']
const wantedRoutes = options.get('ROUTES')?.split(',')

const { connection, port, start, stop, clear, listRoutes } = await setStage()
const settings = {
  TRUST_PROXY: '127.0.0.1',
  DEV_PAGES: 'false',
  ROLES: 'api,auth,web',
  // Operators need no second factor there.
  SEED_DEMO: 'true',
  ADMIN_EMAIL: operator.email,
  ADMIN_PASSWORD: operator.password,
}
const routes = await listRoutes(settings)
await fillDirectory(connection, 0, 10_000)
await fillLarge()
const probePath = `/tmp/emojid-hold-${process.pid}.sock`
const probe = fileURLToPath(new URL('hold-probe.mjs', import.meta.url))
const service = await start({
  ...settings,
  HOLD_PROBE: probePath,
  NODE_OPTIONS: `--import=${probe}`,
})

const manyIds = Array.from({ length: 1_000 }, (_, n) => syntheticId(1_000 + n))
const members = Array.from({ length: 230_000 }, (_, n) => `${n % 1_000}`)

type Attack = { connections: number; requests: string[] }

/** Requests from one machine. Password requests come from as many networks as exist. */
const attacks: Record<string, Attack> = {
  one_id_a_thousand_times: {
    connections: 30,
    requests: [post('/api/emoji_id/lookup', { emoji_ids: Array(1_000).fill(large) })],
  },
  batches_of_ordinary_ids: {
    connections: 20,
    requests: [post('/api/emoji_id/lookup', { emoji_ids: manyIds })],
  },
  batches_of_malformed_ids: {
    connections: 64,
    requests: [
      post('/api/emoji_id/lookup', { emoji_ids: Array.from({ length: 1_000 }, (_, n) => `x${n}`) }),
    ],
  },
  many_members: { connections: 4, requests: [post('/api/auth/token', members)] },
  large_entries: {
    connections: 10,
    requests: [
      get(
        `/api/emoji_id/${encodeURIComponent(large)}/json?keys=SvcPageData,SvcLinkData,VisualizerData`,
      ),
    ],
  },
  searches: {
    connections: 20,
    requests: Array.from({ length: 1_000 }, (_, n) =>
      get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(syntheticId(2_000 + n))}`),
    ),
  },
  overlong_addresses: {
    connections: 20,
    requests: [
      get(`/${'x'.repeat(15_000)}${encodeURIComponent('🦀')}`),
      get(`/find?q=${'fire,'.repeat(3_000)}`),
    ],
  },
  padded_headers: {
    connections: 20,
    requests: [get('/gift', `Accept-Encoding: a${' '.repeat(14_000)}a\r\n`)],
  },
  wrong_passwords: {
    connections: 60,
    requests: Array.from({ length: 2_000 }, (_, n) =>
      post(
        '/api/auth/token',
        { email: `unknown-${n}@example.com`, password: 'not the password' },
        `10.1.${n % 20}.1`,
      ),
    ),
  },
  registrations: {
    connections: 24,
    requests: Array.from({ length: 5_000 }, (_, n) =>
      post(
        '/api/users',
        { email: `new-${n}@example.com`, password: person.password },
        `10.2.${n % 8}.1`,
      ),
    ),
  },
}

const promised = { kept_of_rate: 0.8, p99_ms: 50, login_ms: 2_000 }
const figures: Record<string, unknown> = earlierFigures()
const broken: string[] = []
if (parts.includes('attacks')) figures['attacks'] = await measureAttacks()
if (parts.includes('requests') || parts.includes('floods')) {
  const facts = await fillToLimits(connection, `http://localhost:${port}`)
  const stage = { port, probePath, path: paths[0] ?? '', facts }
  const isWanted = (route: string) => wantedRoutes?.some((part) => route.includes(part)) ?? true
  // Last, because they remove the objects that the other requests use.
  const isRemoval = (route: string) => Number(route.startsWith('DELETE '))
  const ordered = routes.toSorted((one, other) => isRemoval(one) - isRemoval(other))
  const measured = await measureRoutes(stage, ordered.filter(isWanted), parts.includes('floods'))
  broken.push(...Object.keys(measured.beyond))
  figures['routes'] = measured
}
await stop(service)
await clear()
report(new URL('.', import.meta.url), 'abuse', figures)
if (broken.length > 0) {
  process.stderr.write(`Not as promised: ${broken.join(', ')}\n`)
  process.exitCode = 1
}

/** Parts that are not measured keep their figures. */
function earlierFigures(): Record<string, unknown> {
  const file = new URL('results/abuse.json', import.meta.url)
  const { attacks = {}, routes = {} } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {}
  return { attacks, routes }
}

async function measureAttacks() {
  await asOwner('/api/users')
  const calm = await load({ ...lookups, port, paths })
  const under: Record<string, unknown> = {}
  const attacker = createAttacker(port)
  for (const [name, attack] of Object.entries(attacks)) {
    await attacker.begin(attack.requests, attack.connections)
    const isAboutPasswords = name === 'wrong_passwords' || name === 'registrations'
    const [victimFigures, login_ms] = await Promise.all([
      load({ ...lookups, port, paths, mayFail: true }),
      isAboutPasswords ? slowestLogin() : 0,
    ])
    const kept_of_rate = Math.round((victimFigures.per_second / calm.per_second) * 1_000) / 1_000
    under[name] = {
      ...victimFigures,
      kept_of_rate,
      login_ms,
      answers: (await attacker.end()).statuses,
    }
    const isSlow =
      kept_of_rate < promised.kept_of_rate ||
      victimFigures.p99_ms > promised.p99_ms ||
      login_ms > promised.login_ms
    if (isSlow || victimFigures.failed > 0) broken.push(name)
  }
  attacker.close()
  return { promised, calm, under }
}

function get(path: string, header = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`
}

function post(path: string, body: unknown, from = '127.0.0.1'): string {
  const text = JSON.stringify(body)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: ${from}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}

/** The slowest of eight logins of the owner. A refused login counts as infinite. */
async function slowestLogin(): Promise<number> {
  let slowest = 0
  for (let n = 0; n < 8; n++) {
    const start = performance.now()
    const { status } = await asOwner('/api/auth/token')
    if (status !== 200) return Number.POSITIVE_INFINITY
    slowest = Math.max(slowest, performance.now() - start)
  }
  return Math.round(slowest)
}

function asOwner(path: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' }
  return fetch(`http://localhost:${port}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(person),
  })
}

/** An id with the maximum: 200 records, and store entries written before the size limit existed. */
async function fillLarge(): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const records = Array.from({ length: 200 }, (_, n) => ({
    tag: '0x5001',
    data: `${n} `.padEnd(254, 'x'),
    hash: String(n).padStart(64, '0'),
  }))
  await client.query('update record_sets set records = $2 where emoji_id = $1', [
    large,
    JSON.stringify(records),
  ])
  const data = JSON.stringify(Object.fromEntries(Array.from({ length: 27_000 }, (_, n) => [n, 1])))
  for (const key of ['SvcPageData', 'SvcLinkData', 'VisualizerData'])
    await client.query('insert into store_entries (emoji_id, key, data) values ($1, $2, $3)', [
      large,
      key,
      data,
    ])
  await client.end()
}
