// Edits of ids under kill −9 of the service and of PostgreSQL: npm run stress:records [-- KILLS=12]
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { report } from '../../../benchmarks/report.ts'
import { findRunningPostgres } from '../src/platform/database/embedded/server.ts'
import { launchReady, newPlace, type ServiceProcess } from '../test/support/process.ts'
import { sizeOf } from './parts.ts'

const kills = sizeOf('KILLS', 120)
const ids = ['🦀🌊', '🦀🔥', '🦀🐍', '🦀👑']
const email = 'owner@example.com'
const password = 'seven blue herons at dawn'

const place = await newPlace()
const env = { ...place.env, ADMIN_EMAIL: email, ADMIN_PASSWORD: password }
let service: ServiceProcess = await launchReady(env)
let token = ''
token = await logIn()
await grantIds()

/** The last acknowledged number by id. The next may exist unacknowledged. */
const writtenVersions = new Map(ids.map((id) => [id, 0]))
let acknowledgedCount = 0
let slowest = 0
for (let n = 0; n < kills; n++) {
  let isCut = false
  const writers = ids.map((id) => write(id, () => isCut))
  await sleep(50 + Math.random() * 300)
  const killedAt = Date.now()
  if (n % 6 === 5) await killPostgres()
  else {
    service.child.kill('SIGKILL')
    await service.exited
    service = await launchReady(env)
  }
  isCut = true
  await Promise.all(writers)
  token = await logIn()
  slowest = Math.max(slowest, Date.now() - killedAt)
  for (const id of ids) await check(id)
}
service.child.kill('SIGTERM')
await service.exited
await place.clear()

report(new URL('.', import.meta.url), 'records', {
  kills,
  of_postgres: Math.floor(kills / 6),
  acknowledged_edits: acknowledgedCount,
  lost_edits: 0,
  unsigned_states: 0,
  logged_in_again_after_ms: slowest,
})

/** One edit after the other. Each replaces the last number by the next. */
async function write(id: string, isCut: () => boolean): Promise<void> {
  while (!isCut()) {
    const next = (writtenVersions.get(id) ?? 0) + 1
    const body = { insert: [{ tag: '0x0005', data: `state ${next}` }] }
    const answer = await call('PATCH', `/emoji_id/${encodeURIComponent(id)}`, body).catch(
      () => undefined,
    )
    if (answer?.status === 200) {
      writtenVersions.set(id, next)
      acknowledgedCount++
    } else if (answer?.status === 422) writtenVersions.set(id, next)
    else return
  }
}

/** The acknowledged edit or the pending one, with a signature over exactly that. */
async function check(id: string): Promise<void> {
  const last = writtenVersions.get(id) ?? 0
  const answer = await fetchUntilAnswered('GET', `/emoji_id/${encodeURIComponent(id)}/proof`)
  const { records, signature } = (await answer.json()) as {
    records: { data: string }[]
    signature: object | null
  }
  const shownNumber = Number(/\d+/.exec(records[0]?.data ?? '')?.[0] ?? 0)
  if (shownNumber < last || shownNumber > last + 1 || records.length > 1) {
    throw new Error(`${id} shows ${JSON.stringify(records)} after ${last} was acknowledged`)
  }
  if (records.length > 0 && !signature) throw new Error(`${id} is not signed`)
  writtenVersions.set(id, shownNumber)
}

async function killPostgres(): Promise<void> {
  const connection = await findRunningPostgres(place.env.DATA_DIR)
  const client = new pg.Client(connection ?? {})
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query(`select pg_read_file('postmaster.pid') as text`)
  process.kill(Number(rows[0].text.split('\n')[0]), 'SIGKILL')
}

async function logIn(): Promise<string> {
  const answer = await fetchUntilAnswered('POST', '/auth/token', { email, password })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** The service is ready, though it may briefly report its database as unavailable again. */
async function fetchUntilAnswered(method: string, path: string, body?: object): Promise<Response> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await call(method, path, body).catch(() => undefined)
    if (answer?.status === 200) return answer
    await sleep(50)
  }
  throw new Error(`${method} ${path} did not work for 10 s`)
}

async function grantIds(): Promise<void> {
  const account = (await (await call('GET', '/account')).json()) as { user: { id: string } }
  for (const emoji_id of ids) {
    const answer = await call('POST', '/admin/emoji_ids', { emoji_id, user_id: account.user.id })
    if (answer.status !== 200) throw new Error(await answer.text())
  }
}

function call(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${service.url}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(10_000),
  })
}
