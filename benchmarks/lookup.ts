// Measures lookups against a bare server in the same run: npm run bench:lookup
// One part only, and the others stay in the results: npm run bench:lookup -- ONLY=doors
import { type ChildProcess, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../packages/server/test/support/process.ts'
import { fillDirectory, syntheticId } from './directory.ts'
import { load, loadInTurn, median, type Result, script, type Target } from './load.ts'
import { startCachingNginx } from './nginx.ts'
import { report } from './report.ts'
import { setStage } from './stage.ts'

// Short slices in turn with the bare server, and medians of ratios: other work on the machine changes
// the times, but both sides of a ratio meet it.
const options = new Map(process.argv.slice(3).map((text) => text.split('=') as [string, string]))
const how =
  'of_bare: processor time per request of a bare node:http server with the same requests, divided by that of the measured process; rates and p99 likewise. Medians of slices in turn.'
const rounds = 3
const slice = { rounds, warm_up_ms: 250, measured_ms: 500 }
const pathOf = (n: number) => `/api/emoji_id/${encodeURIComponent(syntheticId(n))}`
const someIds = (count: number, of: number) =>
  Array.from({ length: count }, (_, n) => pathOf(Math.floor(((n * 7919) % count) * (of / count))))

const get = (...lines: string[]) =>
  ['GET /health/live HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n')
/** After the first one the front answers; after the second one the connection stays with the parser. */
const firstRequests = { other: get('Accept: */*'), unusual: get('X*: 1') }

const clients: { [client: string]: string[] } = {
  browser: [
    'Connection: keep-alive',
    'Accept: */*',
    'Accept-Encoding: gzip, deflate, br, zstd',
    'Accept-Language: en-US,en;q=0.9',
    'Origin: https://wallet.example',
    'Referer: https://wallet.example/',
    'Sec-Fetch-Dest: empty',
    'Sec-Fetch-Mode: cors',
    'Sec-Fetch-Site: cross-site',
    'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  ],
  undici: [
    'connection: keep-alive',
    'accept: */*',
    'accept-language: *',
    'sec-fetch-mode: cors',
    'user-agent: node',
    'accept-encoding: gzip, deflate',
  ],
  curl: ['User-Agent: curl/8.5.0', 'Accept: */*'],
  okhttp: ['Connection: Keep-Alive', 'Accept-Encoding: gzip', 'User-Agent: okhttp/4.12.0'],
  'proxy with x-request-id': ['X-Request-Id: 6f1a2b3c', 'X-Forwarded-For: 203.0.113.9'],
  TE: ['TE: trailers'],
}

type Server = { port: number; child: ChildProcess }
const targetOf = ({ port, child }: Server): Target => ({ port, pid: child.pid })

type Case = {
  form?: string
  first?: keyof typeof firstRequests
  headers?: string[]
  connections?: number
  status?: number
}

const forms = ['/BTC', '/payment', '?tags=0x1003', '?']
const cases: { [name: string]: Case } = {
  'whole, fresh connections': {},
  'whole, 512 fresh connections': { connections: 512 },
  'whole, after another request': { first: 'other' },
  'whole, 512 connections after another request': { first: 'other', connections: 512 },
  'whole, connections that stay with the parser': { first: 'unusual' },
  ...Object.fromEntries(
    forms.map((form) => [`${form}, after another request`, { first: 'other' as const, form }]),
  ),
  '304, after another request': { first: 'other', headers: ['If-None-Match: *'], status: 304 },
  ...Object.fromEntries(
    Object.entries(clients).map(([client, headers]) => [
      `${client}, after another request`,
      { first: 'other' as const, headers },
    ]),
  ),
}

const measurements = {
  doors: measureCached,
  nginx: measureNginx,
  uncached: measureUncached,
  large: measureLarge,
}
type Part = keyof typeof measurements
const parts = (options.get('ONLY')?.split(',') ?? Object.keys(measurements)) as Part[]
const { connection, folder, port, start, stop, clear } = await setStage()
await stop(await start())
await fillDirectory(connection, 0, 10_000)
/** Names of what is not as promised. */
const broken: string[] = []
for (const part of parts) {
  const at = { measured_at: new Date().toISOString(), load: loadavg()[0]?.toFixed(2) }
  const figures = await measurements[part]()
  report(new URL('.', import.meta.url), 'lookup', {
    how,
    ...formerFigures(),
    [part]: { ...at, ...figures },
  })
}
await clear()
if (broken.length > 0) {
  process.stderr.write(`Not as promised, or measured on a busy machine: ${broken.join('; ')}\n`)
  process.exitCode = 1
}

function formerFigures(): object {
  const text = readFileSync(new URL('results/lookup.json', import.meta.url), 'utf8')
  const { doors, nginx, uncached, large } = JSON.parse(text)
  return { doors, nginx, uncached, large }
}

function promise(name: string, isKept: boolean) {
  if (!isKept) broken.push(name)
}

async function measureLarge() {
  const small = await measureGrowth(10_000)
  await fillDirectory(connection, parts.includes('uncached') ? 100_000 : 10_000, 1_000_000)
  const large = await measureGrowth(1_000_000)
  const steady = await measureSteady()
  const batch = await measureBatch()
  const ratio = round(large / small)
  promise('growth', ratio >= 0.9 && ratio < 1.5)
  promise('steady', steady.p99_ms <= 10)
  promise('batch', batch.median_ms <= 50)
  return {
    uncached_1_000_000_of_10_000_ids: {
      per_second_10_000: small,
      per_second_1_000_000: large,
      ratio,
      promised: 0.9,
    },
    open_loop_1_000_000_ids_uncached: { ...steady, promised_p99_ms: 10 },
    batch_of_1_000_uncached: { ...batch, promised_ms: 50 },
  }
}

/** The bare server, with the bodies that the service has for these paths, warm. */
async function startBare(url: string, paths: string[]): Promise<Server> {
  const barePort = await freePort()
  const bodies = await Promise.all(
    paths.map(async (path) => {
      const body = Buffer.from(await (await fetch(`${url}${path}`)).arrayBuffer())
      return `${path} ${body.toString('base64')}`
    }),
  )
  const server = { port: barePort, child: script('bare-server.mjs', [String(barePort), ...bodies]) }
  await sleep(2_000)
  await load({ port: barePort, connections: 64, paths: paths.slice(0, 1) })
  return server
}

async function measureCached() {
  const service = await start()
  const paths = ['', ...forms].map((form) => pathOf(1) + form)
  const bare = await startBare(service.url, paths)
  await load({ port, connections: 64, paths })
  const figures: { [name: string]: ReturnType<typeof compare> & { promised: number } } = {}
  for (const [name, { form = '', first, headers, connections = 64, status }] of Object.entries(
    cases,
  )) {
    const path = pathOf(1) + form
    const [theirs = [], ours = []] = await loadInTurn({
      ...slice,
      connections,
      paths: [path],
      ...(headers ? { headers } : {}),
      ...(first ? { first: firstRequests[first] } : {}),
      targets: [targetOf(bare), { port, pid: service.child.pid, status }],
    })
    const promised = first === 'unusual' ? 0.3 : first ? 0.85 : 1
    const figure = { ...compare(ours, theirs), promised }
    figures[name] = figure
    promise(name, figure.of_bare >= promised && figure.failed === 0)
  }
  bare.child.kill()
  await stop(service)
  return figures
}

function compare(ours: Result[], theirs: Result[]) {
  const of = (name: 'cpu_us' | 'per_second' | 'p99_ms') =>
    median(ours.map((result, n) => result[name] / (theirs[n]?.[name] || 1)))
  return {
    of_bare: round(1 / of('cpu_us')),
    rate_of_bare: round(of('per_second')),
    p99_of_bare: round(of('p99_ms')),
    cpu_us: round(median(ours.map(({ cpu_us }) => cpu_us))),
    failed: ours.reduce((sum, { failed }) => sum + failed, 0),
  }
}

async function measureNginx() {
  const service = await start({ LOOKUP_MAX_AGE: '1' })
  const nginx = startCachingNginx(`${folder}/nginx`, port, await freePort())
  if (!nginx) throw new Error('nginx is not installed')
  await sleep(500)
  const path = pathOf(1).slice('/api'.length)
  const bare = await startBare(`${service.url}/api`, [path])
  const [theirs = [], ours = []] = await loadInTurn({
    ...slice,
    connections: 64,
    paths: [path],
    host: 'api.example.com',
    targets: [targetOf(bare), { port: nginx.port, pid: nginx.workerPid() }],
  })
  bare.child.kill()
  nginx.stop()
  await stop(service)
  const figures = { ...compare(ours, theirs), promised: 2.1 }
  promise('nginx', figures.of_bare >= figures.promised)
  return figures
}

async function measureUncached() {
  await fillDirectory(connection, 10_000, 100_000)
  execFileSync('npm', ['install', '--silent', '--prefix', folder, 'postgres@3.4.9'])
  const peers = await Promise.all(
    ['postgres', 'pg'].map(async (client) => {
      const peerPort = await freePort()
      const args = [client, String(peerPort), folder, connection.host ?? '']
      return { port: peerPort, child: script('peer.mjs', args) }
    }),
  )
  const service = await start({ LOOKUP_CACHE_IDS: '0' })
  const bare = await startBare(service.url, [pathOf(1)])
  const task = {
    ...slice,
    connections: 64,
    paths: someIds(10_000, 100_000),
    targets: [bare, { port, child: service.child }, ...peers].map(targetOf),
  }
  // Warm: each has compiled what it runs.
  await loadInTurn({ ...task, rounds: 1, measured_ms: 3_000 })
  const [ofBare = [], ours = [], ofPostgresJs = [], ofPg = []] = await loadInTurn({
    ...task,
    rounds: 7,
  })
  for (const { child } of [bare, ...peers]) child.kill()
  await stop(service)
  const ofPeer = compare(ours, ofPostgresJs)
  promise('uncached', ofPeer.of_bare >= 1.5)
  return {
    ids: 100_000,
    ...compare(ours, ofBare),
    fastify_and_postgres_js: compare(ofPostgresJs, ofBare),
    fastify_and_pg: compare(ofPg, ofBare),
    of_postgres_js: ofPeer.of_bare,
    rate_of_postgres_js: ofPeer.rate_of_bare,
    promised_of_postgres_js: 1.5,
  }
}

async function measureGrowth(ids: number): Promise<number> {
  const service = await start({ LOOKUP_CACHE_IDS: '0' })
  const task = { port, connections: 64, paths: someIds(10_000, ids) }
  const rates: number[] = []
  for (let n = 0; n < 3; n++) rates.push((await load(task)).per_second)
  await stop(service)
  return median(rates)
}

async function measureSteady() {
  const service = await start({ LOOKUP_CACHE_IDS: '0' })
  const task = { connections: 64, port, paths: someIds(10_000, 1_000_000) }
  await load(task)
  const p99s: number[] = []
  for (let n = 0; n < 3; n++)
    p99s.push((await load({ ...task, rate: 2_000, measured_ms: 5_000 })).p99_ms)
  await stop(service)
  return { rate: 2_000, p99_ms: median(p99s), rounds_p99_ms: p99s }
}

async function measureBatch() {
  const service = await start({ LOOKUP_CACHE_IDS: '0' })
  const times: number[] = []
  // As many as the rate limit lets a network request at once.
  for (let n = 0; n < 20; n++) {
    const emoji_ids = Array.from({ length: 1_000 }, (_, m) =>
      syntheticId((n * 31_337 + m * 997) % 1_000_000),
    )
    const start = performance.now()
    const answer = await fetch(`${service.url}/api/emoji_id/lookup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ emoji_ids }),
    })
    const { data } = (await answer.json()) as { data: { status: boolean }[] }
    times.push(performance.now() - start)
    if (data.some(({ status }) => !status)) throw new Error('An id of the batch was not found')
  }
  await stop(service)
  const warm = times.slice(5)
  return { median_ms: Math.round(median(warm)), slowest_ms: Math.round(Math.max(...warm)) }
}

function round(number: number): number {
  return Math.round(number * 100) / 100
}
