// R10: fifty concurrent logins do not slow lookups down. At three times the capacity the service
// rejects the excess with 503.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fillDirectory, syntheticId } from '../../../benchmarks/directory.ts'
import {
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

const concurrent = 50
const rounds = sizeOf('ROUNDS', 5)
const lookupRate = 2_000
const promised = { p99_ms: 50, throughput_left: 0.8 }
const ids = 5_000
const paths = Array.from(
  { length: ids },
  (_, n) => `/api/emoji_id/${encodeURIComponent(syntheticId(n))}`,
)

type Name = ReturnType<typeof newPerson>
type LoginFigures = { per_second: number; p99_ms: number }

export const measureLogins = (): Promise<Findings> =>
  onStage(async (stage) => {
    const people = await assemble(stage)
    const { per_second: capacity } = await whileLoggingIn(stage, people, () => sleep(5_000))
    const without: LoginFigures[] = []
    const during: LoginFigures[] = []
    const logins: number[] = []
    for (let n = 0; n < rounds; n++) {
      process.stderr.write(`logins: round ${n + 1} of ${rounds}\n`)
      without.push(await measureLookups(stage))
      const { per_second } = await whileLoggingIn(stage, people, async () => {
        during.push(await measureLookups(stage))
      })
      logins.push(per_second)
    }
    const saturated = await saturate(stage, people, capacity * 3)
    const shares = during.map(({ per_second }, n) => per_second / (without[n]?.per_second ?? 1))
    const remainingShare = round(quantile(shares, 0.5), 3)
    const p99 = quantile(
      during.map(({ p99_ms }) => p99_ms),
      0.5,
    )
    const figures = {
      concurrent_logins: concurrent,
      logins_per_second: capacity,
      lookups_without_logins: without,
      lookups_during_logins: during,
      logins_per_second_during_lookups: logins,
      p99_ms: p99,
      throughput_left: remainingShare,
      promised,
      at_three_times_saturation: saturated.figures,
    }
    const broken = [
      ...(p99 > promised.p99_ms ? [`During logins lookups take ${p99} ms at p99`] : []),
      ...(remainingShare < promised.throughput_left
        ? [`Logins leave ${remainingShare} of the lookups`]
        : []),
      ...saturated.broken,
    ]
    return { figures, broken }
  })

/** A directory for lookups and users for logins, both warmed up before the measurement. */
async function assemble(stage: Stage) {
  await fillDirectory((await stage.connection()) ?? {}, 0, ids)
  const people = Array.from({ length: concurrent }, newPerson)
  await inParallel(people, 10, (person) => registerPerson(stage, person))
  await measureLookups(stage)
  return people
}

/** The capacity, and the latency at partial load. */
async function measureLookups({ port }: Stage): Promise<LoginFigures> {
  const { per_second = 0 } = await load({ port, measured_ms: 3_000 })
  const { p99_ms = 0 } = await load({ port, measured_ms: 4_000, rate: lookupRate })
  return { per_second, p99_ms }
}

type Task = { port: number; measured_ms: number; rate?: number }

async function load(task: Task): Promise<Partial<LoginFigures>> {
  const file = fileURLToPath(new URL('../../../benchmarks/load.mjs', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify({ connections: 64, warm_up_ms: 1_000, paths, ...task }))
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  const result: Partial<LoginFigures> & { failed: number } = JSON.parse(text)
  if (result.failed > 0) throw new Error(`${result.failed} lookups failed`)
  return result
}

/** Each user logs in again as soon as the login succeeds or the service rejects it as busy. */
async function whileLoggingIn(stage: Stage, people: Name[], work: () => Promise<unknown>) {
  let over = false
  let count = 0
  const start = performance.now()
  const loggingIn = people.map(async (person) => {
    while (!over) {
      const answer = await stage.post('/api/auth/token', person)
      if (answer?.status === 200) count++
      // A full password queue rejects a login instead of holding it.
      else if (answer?.status === 503 && answer.retryAfter) await sleep(200)
      else throw new Error(`A login answered ${answer?.status}`)
    }
  })
  const working = work().finally(() => {
    over = true
  })
  await Promise.all([working, ...loggingIn])
  return { per_second: round(count / ((performance.now() - start) / 1_000)) }
}

/** Open-loop load: logins leave on schedule even while earlier ones are pending. */
async function saturate(stage: Stage, people: Name[], rate: number, ms = 10_000) {
  const outcomes: Record<string, number> = {}
  const broken: string[] = []
  const waits: number[] = []
  const logIn = async (person: Name) => {
    const answer = await stage.post('/api/auth/token', person)
    const outcome = String(answer?.status ?? 'no answer')
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (answer?.status === 200) waits.push(answer.ms)
    else if (!answer || ![429, 503].includes(answer.status)) broken.push(`A login got ${outcome}`)
    else if (!answer.retryAfter) broken.push(`A login got ${outcome} without Retry-After`)
  }
  const lookups = load({ port: stage.port, measured_ms: ms, rate: lookupRate })
  const start = performance.now()
  const sendings: Promise<void>[] = []
  for (let elapsedMs = 0; elapsedMs < ms; elapsedMs = performance.now() - start) {
    while (sendings.length < (elapsedMs * rate) / 1_000) {
      sendings.push(logIn(people[sendings.length % people.length] as Name))
    }
    await sleep(2)
  }
  await Promise.all(sendings)
  const { p99_ms } = await lookups
  stage.assertAlive()
  const after = await stage.post('/api/auth/token', people[0])
  if (after?.status !== 200) broken.push(`After the saturation a login answered ${after?.status}`)
  const figures = {
    logins_per_second_sent: round(rate),
    answers: outcomes,
    slowest_login_ms: Math.round(Math.max(...waits)),
    lookup_p99_ms: p99_ms,
  }
  return { figures, broken: [...new Set(broken)] }
}
