// T01, T16: response times do not reveal whether an account exists. T06: a password that is too
// long is rejected without hashing.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  type Findings,
  inParallel,
  newPerson,
  onStage,
  quantile,
  registerPerson,
  round,
  type Stage,
} from './account-stage.ts'
import { sizeOf } from './parts.ts'

const pairs = sizeOf('PAIRS', 100)
/** A real gap shows in every round. Noise of a busy machine does not. */
const tries = 3
const promised = { gap_ms: 5, gap_share: 0.1 }
const tooLongPromisedMs = 50
/** Long enough to send the email of one request before the next is timed. */
const pauseMs = 50

type Body = Record<string, string>
/** The request for each kind of name. */
type Kinds = Record<string, Body[]>

export const measureTiming = (): Promise<Findings> =>
  onStage(async (stage) => {
    const { by_id, ...people } = await assemble(stage)
    const wrong = (names: Body[]) =>
      names.map((name) => ({ ...name, password: 'not the password' }))
    const logins = { unknown: wrong(people.unknown), known: wrong(people.with_password) }
    const broken: string[] = []
    process.stderr.write('timing: logins\n')
    const login = await judge(stage, '/api/auth/token', logins, broken)
    process.stderr.write('timing: magic links\n')
    const magic_link = await judge(stage, '/api/auth/magic_link', people, broken)
    const magic_link_by_id = await judge(stage, '/api/auth/magic_link', by_id, broken)
    process.stderr.write('timing: passwords that are too long\n')
    const too_long = await refuseLongPasswords(stage, broken)
    return { figures: { pairs, login, magic_link, magic_link_by_id, too_long, promised }, broken }
  })

async function refuseLongPasswords({ post }: Stage, broken: string[]) {
  const medians: Record<string, number> = {}
  // The second password exceeds the body limit of the route.
  for (const { bytes, status } of [
    { bytes: 1_025, status: 400 },
    { bytes: 1_000_000, status: 413 },
  ]) {
    const ms: number[] = []
    for (let n = 0; n < 20; n++) {
      const { email } = newPerson()
      const answer = await post('/api/auth/token', { email, password: 'a'.repeat(bytes) })
      if (answer?.status !== status) throw new Error(`A long password got ${answer?.status}`)
      ms.push(answer.ms)
    }
    const median = round(quantile(ms, 0.5), 2)
    if (median >= tooLongPromisedMs) broken.push(`${bytes} bytes are refused after ${median} ms`)
    medians[`${bytes}_bytes_median_ms`] = median
  }
  return { ...medians, promised_ms: tooLongPromisedMs }
}

/** Many of each kind, so that no name reaches its back-off. */
async function assemble(stage: Stage) {
  const make = async (bodyOf: () => Body) => {
    const bodies = Array.from({ length: pairs }, bodyOf)
    const ids = new Map<Body, string>()
    await inParallel(bodies, 10, async (body) => {
      const { access_token: token } = await registerPerson(stage, body)
      const answer = await stage.call('GET', '/api/account', { token })
      ids.set(body, JSON.parse(answer?.text ?? '').user.id)
    })
    return bodies.map((body) => ({ body, id: ids.get(body) ?? '' }))
  }
  const { password } = newPerson()
  const mailOnly = () => ({ email: newPerson().email })
  const emailOf = ({ body }: { body: Body }) => ({ email: body['email'] ?? '' })
  const deactivated = await make(mailOnly)
  await deactivate(
    stage,
    deactivated.map(({ id }) => id),
  )
  const alternates = await make(() => ({ alternate_id: randomUUID(), password, source: 'stress' }))
  return {
    unknown: Array.from({ length: pairs }, mailOnly),
    without_password: (await make(mailOnly)).map(emailOf),
    with_password: (await make(newPerson)).map(emailOf),
    deactivated: deactivated.map(emailOf),
    by_id: {
      unknown: Array.from({ length: pairs }, () => ({ user_id: randomUUID() })),
      alternate_id: alternates.map(({ id }) => ({ user_id: id })),
    },
  }
}

async function deactivate(stage: Stage, ids: string[]): Promise<void> {
  const { access_token: token } = JSON.parse(
    (await stage.post('/api/auth/token', admin))?.text ?? '',
  )
  for (const id of ids) {
    const body = { reason: 'for the stress program' }
    const answer = await stage.call('POST', `/api/admin/users/${id}/deactivate`, { token, body })
    if (answer?.status !== 200) throw new Error(`Could not deactivate: ${answer?.text}`)
  }
}

/** The gaps of the last round. A gap that was too wide in every round is a broken guarantee. */
async function judge(stage: Stage, path: string, kinds: Kinds, broken: string[]) {
  await warmUp(stage, path)
  let wide = Object.keys(kinds)
  for (let n = 1; ; n++) {
    const gaps = await compare(stage, path, kinds)
    wide = wide.filter((kind) => isWide(gaps[kind]))
    if (wide.length > 0 && n < tries) continue
    for (const kind of wide) {
      const [ms, unknown] = [gaps[kind]?.median_ms, gaps['unknown']?.median_ms]
      broken.push(`${path} takes ${ms} ms for ${kind} and ${unknown} ms for unknown`)
    }
    return { tries: n, ...gaps }
  }
}

const isWide = (gap: ReturnType<typeof gapOf> | undefined): boolean =>
  gap === undefined || gap.gap_ms >= promised.gap_ms || gap.gap_share >= promised.gap_share

/** Requests one of each kind in turn, and compares every kind with the unknown name. */
async function compare(stage: Stage, path: string, kinds: Kinds) {
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]))
  const answers = new Set<string>()
  for (let n = 0; n < pairs; n++) {
    for (const [kind, bodies] of shuffled(Object.entries(kinds))) {
      const answer = await stage.post(path, bodies[n])
      if (!answer) throw new Error(`${path} did not answer`)
      times.get(kind)?.push(answer.ms)
      answers.add(`${answer.status} ${answer.text.replace(/"request_id":"[^"]*"/, '')}`)
      await sleep(pauseMs)
    }
  }
  if (answers.size > 1) throw new Error(`${path} tells kinds apart: ${[...answers].join(' or ')}`)
  const unknown = quantile(times.get('unknown') ?? [], 0.5)
  return Object.fromEntries(
    [...times].map(([kind, ms]) => [kind, gapOf(quantile(ms, 0.5), unknown)]),
  )
}

function gapOf(ms: number, unknown: number) {
  const gap = Math.abs(ms - unknown)
  return {
    median_ms: round(ms, 2),
    gap_ms: round(gap, 2),
    gap_share: round(gap / unknown, 3),
  }
}

/**
 * Shuffles the order: a fixed order would charge one kind with the leftover work of the previous
 * one.
 */
const shuffled = <Item>(items: Item[]): Item[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)

/** Warm-up for work that is slow only the first time. */
async function warmUp({ post }: Stage, path: string): Promise<void> {
  for (let n = 0; n < 20; n++) {
    await post(path, { ...newPerson(), password: 'not the password' })
    await sleep(pauseMs)
  }
}
