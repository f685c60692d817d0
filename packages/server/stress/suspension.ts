// Suspends and restores an id while all forms of lookups run at two processes with a replica and
// through nginx: every response must be within the promised bounds.
// npm run stress:suspension
// Shorter: npm run stress:suspension -- ROUNDS=4 LOOKUPS=2000
// Needs apt-get install -y postgresql nginx.
import { setTimeout as sleep } from 'node:timers/promises'
import { suspendablePaths } from '../test/support/open-routes.ts'
import type { Findings } from './account-stage.ts'
import { runParts, sizeOf } from './parts.ts'
import { hosts, json, type Stage, setStage } from './replica-stage.ts'

const rounds = sizeOf('ROUNDS', 20)
const lookups = sizeOf('LOOKUPS', 10_000)

const id = '🦀🔥'
const bystander = '🦀🐍'
type Way = 'first' | 'second' | 'nginx'
const ways: readonly Way[] = ['first', 'second', 'nginx']

/** A change takes effect between the request and its response. */
type Change = { isSuspended: boolean; begun: number; done: number }

const link = 'https://example.com/crab'
type Form = { host: 'api' | 'web'; path: string }

/** Every form is answered 451 while the id is suspended. */
const forms = Object.fromEntries(
  suspendablePaths(id).map((path): [string, Form] => {
    const host = path.startsWith('/api/') ? 'api' : 'web'
    return [path, { host, path: path.replace(/^\/api/, '') }]
  }),
)
const served = [200, 303, 304]

/** Suspends and restores an id in each round; both directions have the same bounds. */
async function measureSuspension(): Promise<Findings> {
  const stage = await setStage()
  try {
    return await runRounds(stage)
  } finally {
    await stage.clear()
  }
}

async function runRounds(stage: Stage): Promise<Findings> {
  const token = await stage.logIn()
  await grantIds(stage, token)
  const tolerated: Record<Way, number> = {
    first: 0,
    second: 1_000,
    nginx: stage.maxAgeMs + 2_000,
  }
  const changes: Change[] = [{ isSuspended: false, begun: 0, done: 0 }]
  const broken: string[] = []
  const tally = {
    lookups: 0,
    suspended: 0,
    not_modified: 0,
    unavailable: 0,
    wrong: 0,
    /** The time after a change until the last response of the earlier state. */
    slowest_ms: { first: 0, second: 0, nginx: 0 } as Record<Way, number>,
    by_form: {} as Record<string, number>,
  }
  let isOver = false

  const judge = (way: Way, form: string, isSuspended: boolean, requestedAt: number, at: number) => {
    const allowedStates = statesBetween(changes, requestedAt - tolerated[way], at)
    const last = changes.findLast(({ done }) => done <= requestedAt)
    if (last && last.isSuspended !== isSuspended && changes.at(-1) === last) {
      tally.slowest_ms[way] = Math.max(tally.slowest_ms[way], requestedAt - last.done)
    }
    if (allowedStates.has(isSuspended)) return
    tally.wrong++
    broken.push(
      `${way} ${form}: ${isSuspended ? 'suspended' : 'served'} ${requestedAt - (last?.done ?? 0)} ms after the change`,
    )
  }
  const look = async (way: Way, form: string, at: Form) => {
    let etag: string | null = null
    while (!isOver) {
      const askedAt = Date.now()
      const headers: Record<string, string> = etag ? { 'if-none-match': etag } : {}
      const answer = await ask(stage, way, at, headers)
      const answeredAt = Date.now()
      if (!answer || answer.status === 503) tally.unavailable++
      else {
        tally.lookups++
        tally.by_form[form] = (tally.by_form[form] ?? 0) + 1
        if (answer.status === 304) tally.not_modified++
        if (answer.status === 451) tally.suspended++
        if (![...served, 451].includes(answer.status)) broken.push(`${form}: ${answer.status}`)
        judge(way, form, answer.status === 451, askedAt, answeredAt)
        if (answer.status === 200) etag = answer.headers.get('etag')
      }
      await sleep(answer ? 20 : 100)
    }
  }
  /** An item of a batch, beside an id that is never suspended. */
  const lookBatch = async (way: Way) => {
    while (!isOver) {
      const askedAt = Date.now()
      const request = json('POST', { emoji_ids: [id, bystander] })
      const answer = await sendBatch(stage, way, request)
      const answeredAt = Date.now()
      if (answer?.status !== 200) tally.unavailable++
      else {
        const { data } = (await answer.json()) as Batch
        tally.lookups++
        tally.by_form['batch'] = (tally.by_form['batch'] ?? 0) + 1
        const [item, other] = data
        const isSuspended = item?.error?.code === 'suspended'
        if (isSuspended) tally.suspended++
        if (other?.status !== true) broken.push('batch: the other id was not answered')
        judge(way, 'batch', isSuspended, askedAt, answeredAt)
      }
      await sleep(50)
    }
  }
  const loops = ways.flatMap((way) => [
    ...Object.entries(forms).map(([form, at]) => look(way, form, at)),
    lookBatch(way),
  ])
  const change = async (isSuspended: boolean) => {
    const start = Date.now()
    // Counts as possible from now on, until the response says when it holds.
    const entry: Change = { isSuspended, begun: start, done: Number.POSITIVE_INFINITY }
    changes.push(entry)
    const action = isSuspended ? 'suspend' : 'restore'
    const path = `/api/admin/emoji_ids/${encodeURIComponent(id)}/${action}`
    const answer = await stage.direct(0, path, json('POST', { reason: 'A measurement' }, token))
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${action} answered ${answer.status}: ${text}`)
    entry.done = Date.now()
  }
  const pauseMs = tolerated.nginx + 500
  for (let round = 0; round < rounds || tally.lookups < lookups; round++) {
    await change(true)
    await sleep(pauseMs)
    await change(false)
    await sleep(pauseMs)
  }
  isOver = true
  await Promise.all(loops)
  const figures = { rounds: (changes.length - 1) / 2, tolerated_ms: tolerated, ...tally }
  return { figures: { ...figures, versions: stage.versions }, broken }
}

/** The states that a response between two times may show. */
function statesBetween(changes: readonly Change[], from: number, until: number): Set<boolean> {
  const states = new Set<boolean>()
  for (const [place, { isSuspended, begun }] of changes.entries()) {
    const ends = changes[place + 1]?.done ?? Number.POSITIVE_INFINITY
    if (begun <= until && ends >= from) states.add(isSuspended)
  }
  return states
}

async function ask(stage: Stage, way: Way, { host, path }: Form, headers: Record<string, string>) {
  const request = { headers, signal: AbortSignal.timeout(8_000) }
  const askAnswer =
    way === 'nginx'
      ? stage.through(hosts[host], path, request)
      : stage.direct(way === 'first' ? 0 : 1, host === 'api' ? `/api${path}` : path, request)
  const answer = await askAnswer.catch(() => undefined)
  await answer?.text().catch(() => '')
  return answer
}

type Batch = { data: { status: boolean; error: { code: string } | null }[] }

const sendBatch = (stage: Stage, way: Way, request: Parameters<Stage['direct']>[2]) =>
  (way === 'nginx'
    ? stage.through(hosts.api, '/emoji_id/lookup', request)
    : stage.direct(way === 'first' ? 0 : 1, '/api/emoji_id/lookup', request)
  ).catch(() => undefined)

/** Operators cannot restore their own ids, so another user owns them. */
async function grantIds(stage: Stage, token: string): Promise<void> {
  const account = { email: 'owner@example.com', password: 'five green herons at dusk' }
  const registrationAnswer = await stage.direct(0, '/api/users', json('POST', account))
  const { access_token } = (await registrationAnswer.json()) as { access_token: string }
  const [, claims = ''] = access_token.split('.')
  const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }
  const records = [{ tag: '0x4001', data: link }]
  const rows = [id, bystander].map((emoji_id) => ({ emoji_id, user_id: sub, records }))
  const grantAnswer = await stage.direct(
    0,
    '/api/admin/emoji_ids/import',
    json('POST', { rows, reason: 'A measurement' }, token),
  )
  const text = await grantAnswer.text()
  if (!/"granted".*"granted"/.test(text)) throw new Error(`The grant answered ${text}`)
}

await runParts('suspension', { suspension: measureSuspension })
