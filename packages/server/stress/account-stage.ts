import { randomInt, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findPostmaster } from '../src/platform/database/embedded/postmaster.ts'
import { findRunningPostgres } from '../src/platform/database/embedded/server.ts'
import { claimsOf, type Tokens } from '../test/support/people.ts'
import { launchReady, newPlace } from '../test/support/process.ts'
import { smtpSink } from '../test/support/smtp.ts'

export type Stage = Awaited<ReturnType<typeof openStage>>
/** The outcome of one part: its figures, and a sentence per broken guarantee. */
export type Findings = { figures: Record<string, unknown>; broken: string[] }
export type Answer = { status: number; retryAfter: string | null; text: string; ms: number }
export type RequestInput = {
  token?: string
  body?: unknown
  form?: Record<string, string>
  headers?: Record<string, string>
  /** Drops the connection after this time, whatever the state of the request. */
  dropAfterMs?: number
}

export const admin = { email: 'admin@example.com', password: 'the admin of the stage' }
/** After this time a service without its database counts as dead. */
const patienceMs = 60_000

/**
 * Runs against the built service with its own PostgreSQL and mail server, and removes them
 * afterwards.
 */
export async function onStage<Result>(
  play: (stage: Stage) => Promise<Result>,
  settings: Record<string, string> = {},
): Promise<Result> {
  const stage = await openStage(settings)
  try {
    return await play(stage)
  } finally {
    await stage.close()
  }
}

async function openStage(settings: Record<string, string>) {
  const place = await newPlace()
  const sink = await smtpSink()
  const env = {
    ...place.env,
    SMTP_URL: sink.url,
    TRUST_PROXY: '127.0.0.1',
    DEV_PAGES: 'false',
    LOG_LEVEL: 'error',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ...settings,
  }
  const readyMs: number[] = []
  const launch = async () => {
    const launchedProcess = await launchReady(env)
    readyMs.push(launchedProcess.readyMs)
    return launchedProcess
  }
  let service = await launch()
  // The first start creates the database. Only later starts are timed.
  readyMs.length = 0
  const cluster = join(place.env.DATA_DIR, 'postgres', 'cluster')
  const assertAlive = () => {
    if (service.child.exitCode === null && service.child.signalCode === null) return
    throw new Error(`The service ended by itself:\n${service.output()}`)
  }
  const killPostmaster = async () => {
    const postmaster = await findPostmaster(cluster)
    if (!postmaster) throw new Error('PostgreSQL is not running')
    process.kill(postmaster.pid, 'SIGKILL')
    return postmaster.pid
  }

  const call = (method: string, path: string, request: RequestInput = {}) =>
    callAt(service.url, method, path, request)

  return {
    sink,
    port: Number(place.env.PORT),
    dataDir: place.env.DATA_DIR,
    readyMs,
    assertAlive,
    output: () => service.output(),
    residentMb(): number {
      const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8')
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
    },
    call,
    post: (path: string, body: unknown) => call('POST', path, { body }),
    patiently,
    /** kill −9 of the service, optionally together with its PostgreSQL. */
    async kill({ withPostgres }: { withPostgres: boolean }): Promise<void> {
      assertAlive()
      if (withPostgres) await killPostmaster()
      service.child.kill('SIGKILL')
      await service.exited
    },
    async restart(): Promise<void> {
      service = await launch()
    },
    /** kill −9 of PostgreSQL alone. The service must restart it. */
    async killPostgres(): Promise<void> {
      const killed = await killPostmaster()
      const isBack = async () => {
        const postmaster = await findPostmaster(cluster)
        return postmaster !== undefined && postmaster.pid !== killed
      }
      for (const giveUpAt = Date.now() + patienceMs; !(await isBack()); await sleep(20)) {
        if (Date.now() > giveUpAt) throw new Error('PostgreSQL was not started again')
      }
    },
    async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) {
      const client = new pg.Client(await findRunningPostgres(place.env.DATA_DIR))
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query<Row>(sql, values)).rows
      } finally {
        await client.end()
      }
    },
    connection: () => findRunningPostgres(place.env.DATA_DIR),
    async close(): Promise<void> {
      service.child.kill('SIGTERM')
      await service.exited
      await sink.close()
      await place.clear()
    },
  }
}

/** Retries while the service reconnects to the database. */
export async function patiently(
  ask: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if ((answer && answer.status !== 503) || Date.now() > giveUpAt) return answer
    await sleep(50)
  }
}

/** Returns `undefined` without a response: the outcome is unknown. */
export async function callAt(
  url: string,
  method: string,
  path: string,
  request: RequestInput = {},
): Promise<Answer | undefined> {
  const start = performance.now()
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: headersOf(request),
      signal: AbortSignal.timeout(request.dropAfterMs ?? 30_000),
      ...(request.body ? { body: JSON.stringify(request.body) } : {}),
      ...(request.form ? { body: new URLSearchParams(request.form) } : {}),
    })
    const text = await answer.text()
    const retryAfter = answer.headers.get('retry-after')
    return { status: answer.status, retryAfter, text, ms: performance.now() - start }
  } catch {
    return undefined
  }
}

/** Each call comes from a new address, since rate limits are not under test. */
function headersOf({ token, body, form, headers }: RequestInput): Record<string, string> {
  const [a, b, c] = [randomInt(256), randomInt(256), randomInt(256)]
  return {
    'x-forwarded-for': `10.${a}.${b}.${c}`,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(form ? { 'sec-fetch-site': 'same-origin' } : {}),
    ...headers,
  }
}

/** Signs the administrator in, who may act immediately. */
export async function logIn({
  patiently,
  post,
}: Pick<Stage, 'patiently' | 'post'>): Promise<string> {
  const answer = await patiently(() => post('/api/auth/token', admin))
  if (answer?.status !== 200) throw new Error(`Could not sign in: ${answer?.text}`)
  return (JSON.parse(answer.text) as Tokens).access_token
}

/** Ids of the administrator, who may change them. */
export async function grantIds({ call }: Stage, token: string, ids: readonly string[]) {
  const { sub } = claimsOf(token)
  for (const emoji_id of ids) {
    const body = { emoji_id, user_id: sub }
    const answer = await call('POST', '/api/admin/emoji_ids', { token, body })
    if (answer?.status !== 200) throw new Error(`Could not grant ${emoji_id}: ${answer?.text}`)
  }
}

/** A new user whose registration must succeed. */
export async function registerPerson(
  { post }: Stage,
  body: Record<string, unknown>,
): Promise<Tokens> {
  const answer = await post('/api/users', body)
  if (answer?.status !== 200) throw new Error(`Could not register: ${answer?.text}`)
  return JSON.parse(answer.text)
}

export const newPerson = () => ({
  email: `p-${randomUUID()}@example.com`,
  password: 'a password hard to guess',
})

/** Runs all tasks with limited concurrency. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const remainingItems = [...items]
  const lane = async () => {
    for (let item = remainingItems.shift(); item !== undefined; item = remainingItems.shift())
      await work(item)
  }
  await Promise.all(Array.from({ length: width }, lane))
}

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits))

/** The percentile of a list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
