// Measures what one HTTP process and two cost per request, and computes larger machines from it:
// npm run bench:cores
//
// Both services run at once, each on its own database, and take turns, so that other load on the
// machine affects both. The basis is processor time per request, of the service and of its
// PostgreSQL: the rate of two processes on two cores is 2 × (cost with one / cost with two). The
// measured rates are a lower bound, because clients and database need the same two cores: the one
// process is pinned to a core and the clients to the other; two processes are pinned to a core each.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import pg from 'pg'
import { findRunningPostgres } from '../packages/server/src/platform/database/embedded/server.ts'
import { launchReady, newPlace } from '../packages/server/test/support/process.ts'
import { cheapId, fillDirectory, syntheticId } from './directory.ts'
import { load, median } from './load.ts'
import { report } from './report.ts'

const rounds = Number(process.argv[3] ?? 5)
const connections = 64
const measuredMs = 3_000
/** More than the cache of a process has room for. */
const ids = 60_000
const changes = { edit: 300, purchase: 100 }
const atOnce = 8
/** As many as are edited at once, so that no edit waits for another. */
const ownIds = Array.from({ length: 40 }, (_, n) => cheapId(900_000 + n))
const promisedRatio = 1.5
const admin = { email: 'admin@example.com', password: 'the admin of the benchmark' }
const coreCount = 16

type Kind = 'lookup_cached' | 'lookup_uncached' | 'edit' | 'purchase'
type Cost = { service_ms: number; database_ms: number; per_second: number }
type Site = Awaited<ReturnType<typeof openSite>>

const quiet = loadavg()[0]?.toFixed(2)
const sites = [await openSite(1), await openSite(2)]
const samples = sites.map(() => ({}) as Record<Kind, Cost[]>)
const works: Record<Kind, (site: Site) => Promise<number>> = {
  lookup_cached: (site) => look(site, 10),
  lookup_uncached: (site) => look(site, ids),
  edit: (site) => change(site, changes.edit, editOnce),
  purchase: (site) => change(site, changes.purchase, buyOnce),
}
for (const [kind, work] of Object.entries(works) as [Kind, (site: Site) => Promise<number>][]) {
  for (const site of sites) await work(site)
  for (let n = 0; n < rounds; n++) {
    for (const at of n % 2 ? [1, 0] : [0, 1]) {
      const [site, ofSite] = [sites[at], samples[at]]
      if (!site || !ofSite) continue
      const [before, start] = [site.readTimes(), performance.now()]
      const count = await work(site)
      const [after, seconds] = [site.readTimes(), (performance.now() - start) / 1_000]
      ofSite[kind] ??= []
      ofSite[kind].push({
        service_ms: (after.service - before.service) / count,
        database_ms: (after.database - before.database) / count,
        per_second: count / seconds,
      })
    }
    process.stderr.write(`${kind}: round ${n + 1} of ${rounds}\n`)
  }
}
const commitMs = await measureCommit()
for (const site of sites) await site.close()

const kinds = Object.keys(works) as Kind[]
const costs = samples.map((ofSite) =>
  Object.fromEntries(kinds.map((kind) => [kind, middle(ofSite[kind])])),
) as Record<Kind, Cost>[]
const [one, two] = costs as [Record<Kind, Cost>, Record<Kind, Cost>]
const ratios = Object.fromEntries(
  kinds.map((kind) => [
    kind,
    {
      by_processor_time: round((2 * one[kind].service_ms) / two[kind].service_ms, 2),
      measured_with_clients_on_the_same_cores: round(
        two[kind].per_second / one[kind].per_second,
        2,
      ),
    },
  ]),
)
report(new URL('.', import.meta.url), 'cores', {
  load_before: quiet,
  rounds,
  one_process: one,
  two_processes: two,
  two_against_one: { ...ratios, promised: promisedRatio },
  commit_with_notice_ms: commitMs,
  model: {
    cores_per_machine: coreCount,
    one_machine: modelOf(1),
    three_machines: modelOf(3),
  },
})
const broken = kinds.filter((kind) => (ratios[kind]?.by_processor_time ?? 0) < promisedRatio)
if (broken.length > 0) {
  process.stderr.write(`Not as promised, or measured on a busy machine: ${broken.join(', ')}\n`)
  process.exitCode = 1
}

/**
 * Requests per second of one kind alone. On one machine service and database share the cores. Of
 * three machines all run the service; one has the primary, and replicas serve lookups. Notices make
 * commits wait for each other, so changes cannot be more than one per commit.
 */
function modelOf(machines: number) {
  return Object.fromEntries(
    kinds.map((kind) => {
      const { service_ms, database_ms } = two[kind]
      const cores = coreCount * machines
      const isLookup = kind.startsWith('lookup')
      const limits: Record<string, number> = {
        cores: (cores * 1_000) / (service_ms + database_ms),
        ...(isLookup ? {} : { cores_of_the_primary: (coreCount * 1_000) / database_ms }),
        ...(isLookup ? {} : { commits_in_turn: 1_000 / commitMs }),
      }
      const [first, per_second] = Object.entries(limits).sort((a, b) => a[1] - b[1])[0] ?? []
      return [kind, { per_second: Math.round(per_second ?? 0), saturated_first: first }]
    }),
  )
}

async function openSite(processes: number) {
  const place = await newPlace()
  const service = await launchReady({
    ...place.env,
    PROCESSES: String(processes),
    LOG_LEVEL: 'error',
    SEED_DEMO: 'false',
    TRUST_PROXY: '127.0.0.1',
    DEV_PAGES: 'false',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
  process.once('exit', () => service.child.kill())
  const connection = (await findRunningPostgres(place.env.DATA_DIR)) ?? {}
  await fillDirectory(connection, 0, ids)
  const call = async <Answer>(method: string, path: string, token: string, body?: object) => {
    const answer = await fetch(`${service.url}/api${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
      headers: {
        'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.1`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text) as Answer
  }
  type Tokens = { access_token: string }
  const operator = (await call<Tokens>('POST', '/auth/token', '', admin)).access_token
  const buyers: string[] = []
  for (let n = 0; n < atOnce; n++) {
    const person = { email: `n-${n}@example.com`, activate: true }
    buyers.push((await call<Tokens>('POST', '/users', operator, person)).access_token)
  }
  const { user } = await call<{ user: { id: string } }>('GET', '/account', operator)
  for (const emoji_id of ownIds) {
    await call('POST', '/admin/emoji_ids', operator, { emoji_id, user_id: user.id })
  }
  const root = service.child.pid ?? 0
  const isHttp = (pid: number) => environmentOf(pid).includes('{"name":"http')
  const http = processes === 1 ? [root] : childrenOf(root).filter(isHttp)
  http.forEach((pid, n) => {
    pin(pid, n)
  })
  let next = 0
  return {
    connection,
    port: Number(place.env.PORT),
    processes,
    call,
    operator,
    buyers,
    newNumber: () => next++,
    readTimes: () => timesOf(root),
    async close() {
      service.child.kill('SIGTERM')
      await service.exited
      await place.clear()
    },
  }
}

async function look({ port, processes }: Site, of: number): Promise<number> {
  pin(process.pid, ...(processes === 1 ? [1] : [0, 1]))
  const paths = Array.from(
    { length: of },
    (_, n) => `/api/emoji_id/${encodeURIComponent(syntheticId(n))}`,
  )
  const task = { port, connections, paths, warm_up_ms: 0, measured_ms: measuredMs }
  return ((await load(task)).per_second * measuredMs) / 1_000
}

async function change(
  site: Site,
  count: number,
  once: (site: Site, buyer: string) => Promise<void>,
): Promise<number> {
  let rest = count
  const work = async (buyer: string) => {
    while (rest-- > 0) await once(site, buyer)
  }
  await Promise.all(site.buyers.map(work))
  return count
}

async function editOnce({ call, newNumber, operator }: Site): Promise<void> {
  const n = newNumber()
  const insert = [{ tag: '0x0005', data: `state ${n}` }]
  const path = `/emoji_id/${encodeURIComponent(ownIds[n % ownIds.length] ?? '')}`
  await call('PATCH', path, operator, { insert })
}

/** Cart, and an operator who confirms the payment. */
async function buyOnce({ call, newNumber, operator }: Site, buyer: string): Promise<void> {
  type Order = { id: string; total_in_cents: number }
  const items = [{ emoji_id: cheapId(newNumber()) }]
  const { id, total_in_cents: amount } = await call<Order>('POST', '/cart', buyer, { items })
  await call('POST', `/cart/checkout/${id}`, operator, {
    method: 'Cash',
    amount,
    external_reference: id,
  })
}

/** Of a commit with a notice, while nothing else runs: fsync, and the lock of notices. */
async function measureCommit(): Promise<number> {
  const client = new pg.Client(sites[0]?.connection)
  await client.connect()
  await client.query('create table commits (n int)')
  const times: number[] = []
  for (let n = 0; n < 300; n++) {
    await client.query('begin')
    await client.query('insert into commits values (1)')
    await client.query("notify commits, 'x'")
    const start = performance.now()
    await client.query('commit')
    times.push(performance.now() - start)
  }
  await client.end()
  return round(median(times), 3)
}

function pin(pid: number, ...cores: number[]): void {
  spawnSync('taskset', ['-acp', cores.join(','), String(pid)])
}

function environmentOf(pid: number): string {
  return readFileSync(`/proc/${pid}/environ`, 'utf8')
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )
}

/** Milliseconds of processor time, with those of ended children. */
function timesOf(pid: number): { service: number; database: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const own = values.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  const isDatabase = stat.includes('(postgres')
  const sum = { service: isDatabase ? 0 : own, database: isDatabase ? own : 0 }
  for (const child of childrenOf(pid)) {
    const { service, database } = timesOf(child)
    sum.service += service
    sum.database += database
  }
  return sum
}

function middle(list: Cost[]): Cost {
  return {
    service_ms: round(median(list.map((one) => one.service_ms)), 4),
    database_ms: round(median(list.map((one) => one.database_ms)), 4),
    per_second: Math.round(median(list.map((one) => one.per_second))),
  }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
