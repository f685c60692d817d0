// R8: SIGTERM under load. R9: a database outage and recovery. Measures the seconds of both.
// npm run stress:outage
// Shorter: npm run stress:outage -- STOPS=1 OUTAGES=1
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../src/platform/database/embedded/server.ts'
import { createLog } from '../src/platform/log/log.ts'
import { launchReady, newPlace } from '../test/support/process.ts'
import { databaseProxy } from '../test/support/proxy.ts'
import { type Findings, quantile } from './account-stage.ts'
import { runParts, sizeOf } from './parts.ts'

const stops = sizeOf('STOPS', 5)
const outages = sizeOf('OUTAGES', 5)
const promised = {
  exit_ms: 10_000,
  not_ready_ms: 100,
  refused_within_ms: 2_000,
  recovered_within_ms: 5_000,
}
/** The upper bound where each request is answered immediately. */
const requestsPerSecond = 200
const clients = 10
const lookup = `/api/emoji_id/${encodeURIComponent('🔥🐍')}`

type Outcome = { result: number | string; retryAfter: string | null; ms: number }

async function ask(url: string): Promise<Outcome> {
  const sentAt = performance.now()
  const outcome = (result: number | string, retryAfter: string | null = null): Outcome => ({
    result,
    retryAfter,
    ms: Math.round(performance.now() - sentAt),
  })
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) })
    await answer.arrayBuffer()
    return outcome(answer.status, answer.headers.get('retry-after'))
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    return outcome(cause?.code ?? String(error))
  }
}

/**
 * Clients that send a request shortly after each response, until the service refuses connections.
 */
const startLoad = (url: string): Promise<Outcome[][]> =>
  Promise.all(
    Array.from({ length: clients }, async () => {
      const outcomes: Outcome[] = []
      while (outcomes.at(-1)?.result !== 'ECONNREFUSED') {
        await sleep((clients * 1_000) / requestsPerSecond)
        outcomes.push(await ask(url))
      }
      return outcomes
    }),
  )

const summaryOf = (ms: number[], limit: number) => ({
  median: quantile(ms, 0.5),
  slowest: Math.max(...ms),
  promised: limit,
})

async function measureStops(): Promise<Findings> {
  const place = await newPlace()
  const broken: string[] = []
  const [notReady, exits]: [number[], number[]] = [[], []]
  let [answeredCount, resets] = [0, 0]
  for (let n = 0; n < stops; n++) {
    process.stderr.write(`stops: ${n + 1} of ${stops}\n`)
    const service = await launchReady(place.env)
    const load = startLoad(`${service.url}/api/emoji`)
    await sleep(2_000)
    const startedAt = performance.now()
    service.child.kill('SIGTERM')
    let readiness = 200 as number | string
    while (readiness === 200) readiness = (await ask(`${service.url}/health/ready`)).result
    notReady.push(Math.round(performance.now() - startedAt))
    if (readiness !== 503) broken.push(`Readiness was ${readiness} and never 503`)
    const code = await service.exited
    exits.push(Math.round(performance.now() - startedAt))
    if (code !== 0) broken.push(`The service ended with ${code}:\n${service.output()}`)
    for (const outcomes of await load) {
      const results = outcomes.map(({ result }) => result)
      const last = results.lastIndexOf(200)
      answeredCount += results.filter((result) => result === 200).length
      const failed = results.slice(0, last).filter((result) => result !== 200)
      if (failed.length > 0) broken.push(`A client got ${failed.join()} before its last answer`)
      // Connections still in the system's queue at the close were never accepted.
      resets += results.slice(last + 1).filter((result) => result !== 'ECONNREFUSED').length
    }
  }
  await place.clear()
  if (resets > 2 * stops) broken.push(`${resets} connections were reset`)
  if (Math.max(...exits) > promised.exit_ms) broken.push(`An exit took ${Math.max(...exits)} ms`)
  if (Math.max(...notReady) > promised.not_ready_ms) {
    broken.push(`It was ready for ${Math.max(...notReady)} ms after SIGTERM`)
  }
  const figures = {
    stops,
    requests_per_second: requestsPerSecond,
    answered: answeredCount,
    reset_by_the_system_at_the_end: resets,
    not_ready_after_ms: summaryOf(notReady, promised.not_ready_ms),
    exit_after_ms: summaryOf(exits, promised.exit_ms),
  }
  return { figures, broken }
}

async function measureOutages(): Promise<Findings> {
  const place = await newPlace()
  const log = createLog('fatal')
  const postgres = await startEmbeddedPostgres({ dataDir: `${place.folder}/pg`, log })
  const { host, user, database } = postgres.connection
  const direct = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
  const proxy = await databaseProxy(postgres.connection, direct)
  const service = await launchReady({
    ...place.env,
    DATABASE_URL: proxy.url,
    SEED_DEMO: 'true',
    LOG_LEVEL: 'fatal',
    // Makes every lookup need the database.
    LOOKUP_CACHE_IDS: '0',
  })
  const needsNone = [
    '/health/live',
    '/api/emoji',
    '/api/emoji_id/%F0%9F%94%A5/metadata',
    '/auth/jwks',
  ]
  const broken: string[] = []
  const figures: Record<string, unknown> = { outages_of_each_kind: outages }
  for (const way of ['cut', 'freeze'] as const) {
    const [refusals, recoveries]: [number[], number[]] = [[], []]
    for (let n = 0; n < outages; n++) {
      process.stderr.write(`outages: ${way} ${n + 1} of ${outages}\n`)
      proxy[way]()
      // Some requests in the first moment, some after the outage is detected.
      const pendingRequests: Promise<Outcome>[] = []
      for (let sentCount = 0; sentCount < 40; sentCount++) {
        pendingRequests.push(ask(`${service.url}${lookup}`))
        await sleep(100)
      }
      for (const { result, retryAfter, ms } of await Promise.all(pendingRequests)) {
        refusals.push(ms)
        if (result !== 503 || !retryAfter) broken.push(`${way}: a lookup got ${result}`)
      }
      for (const path of needsNone) {
        const { result } = await ask(`${service.url}${path}`)
        if (result !== 200) broken.push(`${way}: ${path} answered ${result}`)
      }
      const healedAt = performance.now()
      proxy.heal()
      const isBack = async (path: string) => (await ask(`${service.url}${path}`)).result === 200
      while (!(await isBack(lookup)) || !(await isBack('/health/ready'))) await sleep(10)
      recoveries.push(Math.round(performance.now() - healedAt))
    }
    figures[way] = {
      refused_after_ms: summaryOf(refusals, promised.refused_within_ms),
      recovered_after_ms: summaryOf(recoveries, promised.recovered_within_ms),
    }
    const [longest, latest] = [Math.max(...refusals), Math.max(...recoveries)]
    if (longest > promised.refused_within_ms) broken.push(`${way}: a 503 took ${longest} ms`)
    if (latest > promised.recovered_within_ms) broken.push(`${way}: recovery took ${latest} ms`)
  }
  if (service.child.exitCode !== null) broken.push('The service ended by itself')
  service.child.kill('SIGTERM')
  await service.exited
  await proxy.close()
  await postgres.stop()
  await place.clear()
  return { figures, broken }
}

await runParts('outage', { stops: measureStops, outages: measureOutages })
