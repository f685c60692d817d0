// Measures lookups against a bare server in the same run: npm run bench:lookup
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../packages/server/test/support/process.ts'
import { fillDirectory, syntheticId } from './directory.ts'
import { load, median, type Result, script } from './load.ts'
import { report } from './report.ts'
import { setStage } from './stage.ts'

const rounds = 5
const connections = 64
const pathOf = (n: number) => `/api/emoji_id/${encodeURIComponent(syntheticId(n))}`
const someIds = (count: number, of: number) =>
  Array.from({ length: count }, (_, n) => pathOf(Math.floor(((n * 7919) % count) * (of / count))))

const quiet = loadavg()[0]?.toFixed(2)
const { connection, port, start, stop, clear } = await setStage()

await stop(await start())
await fillDirectory(connection, 0, 10_000)

const cached = await measureCached()
const small = await measureUncached(10_000)
await fillDirectory(connection, 10_000, 100_000)
const uncached = await measureUncached(100_000)
await fillDirectory(connection, 100_000, 1_000_000)
const large = await measureUncached(1_000_000)
const steady = await measureSteady()
const batch = await measureBatch()

report(new URL('.', import.meta.url), 'lookup', {
  load_before: quiet,
  connections,
  bare_node_http_per_second: cached.bare,
  rounds: cached.rounds,
  cached_hit: { per_second: cached.ours, of_bare: ratio(cached.ours, cached.bare), promised: 0.85 },
  uncached_hit_100_000_ids: {
    per_second: uncached,
    of_bare: ratio(uncached, cached.bare),
    promised: 0.35,
  },
  uncached_1_000_000_of_10_000_ids: {
    per_second_10_000: small,
    per_second_1_000_000: large,
    ratio: ratio(large, small),
    promised: 0.9,
  },
  open_loop_1_000_000_ids_uncached: { ...steady, promised_p99_ms: 10 },
  batch_of_1_000_uncached: { ...batch, promised_ms: 50 },
})
await clear()

const cachedIds = {
  cached: cached.ours / cached.bare >= 0.85,
  uncached: uncached / cached.bare >= 0.35,
  growth: large / small >= 0.9 && large / small < 1.5,
  steady: steady.p99_ms <= 10,
  batch: batch.median_ms <= 50,
}
const broken = Object.entries(cachedIds).flatMap(([name, isKept]) => (isKept ? [] : [name]))
if (broken.length > 0) {
  process.stderr.write(`Not as promised, or measured on a busy machine: ${broken.join(', ')}\n`)
  process.exitCode = 1
}

async function measureCached() {
  const service = await start()
  const path = pathOf(1)
  const body = Buffer.from(await (await fetch(`${service.url}${path}`)).arrayBuffer())
  const barePort = await freePort()
  const bareServer = script('bare-server.mjs', [String(barePort), body.toString('base64')])
  await sleep(500)
  const ours: number[] = []
  const theirs: number[] = []
  for (let n = 0; n < rounds; n++) {
    theirs.push((await load({ connections, port: barePort, paths: [path] })).per_second)
    ours.push((await load({ connections, port, paths: [path] })).per_second)
  }
  bareServer.kill()
  await stop(service)
  return { ours: median(ours), bare: median(theirs), rounds: { ours, bare: theirs } }
}

async function measureUncached(ids: number): Promise<number> {
  const service = await start({ LOOKUP_CACHE_IDS: '0' })
  const paths = someIds(10_000, ids)
  const rates: number[] = []
  for (let n = 0; n < rounds; n++) {
    rates.push((await load({ connections, port, paths })).per_second)
  }
  await stop(service)
  return median(rates)
}

async function measureSteady() {
  const service = await start({ LOOKUP_CACHE_IDS: '0' })
  const paths = someIds(10_000, 1_000_000)
  await load({ connections, port, paths })
  const runs: Result[] = []
  for (let n = 0; n < rounds; n++) {
    runs.push(await load({ connections, port, paths, rate: 2_000, measured_ms: 10_000 }))
  }
  await stop(service)
  const p99s = runs.map(({ p99_ms }) => p99_ms)
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

function ratio(part: number, whole: number): number {
  return Math.round((part / whole) * 1_000) / 1_000
}
