import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Findings } from './account-stage.ts'
import { waitForReplica } from './replica-faults.ts'
import { startLoad } from './replica-load.ts'
import { setStage } from './replica-stage.ts'

const everyMs = 5_000
const growthAllowed = 0.1
/** Connections vary by a few. A leak of one in a hundred requests would show as hundreds. */
const descriptorsAllowed = 5

type Sample = { rss_mb: number; descriptors: number }

/** Half an hour of constant load: memory and descriptors of both processes stay constant. */
export async function measureSoak(seconds: number): Promise<Findings> {
  const stage = await setStage()
  const load = await startLoad(stage)
  load.begin({ first: 1_000, second: 1_000, nginx: 3_000 })
  await waitForReplica(stage)
  const samples: Sample[][] = stage.services.map(() => [])
  const endsAt = Date.now() + seconds * 1_000
  while (Date.now() < endsAt) {
    await sleep(everyMs)
    for (const [n, { child }] of stage.services.entries())
      samples[n]?.push(sampleOf(child.pid ?? 0))
  }
  const tally = load.tally()
  await load.stop()
  await stage.clear()

  const processes = samples.map((all) => {
    // A sixth of the time is warm-up. Then the first and the last sixth are compared.
    const part = Math.max(1, Math.floor(all.length / 6))
    const [earlyMedian, lateMedian] = [middle(all.slice(part, 2 * part)), middle(all.slice(-part))]
    const growth = lateMedian.rss_mb / earlyMedian.rss_mb - 1
    return { early: earlyMedian, late: lateMedian, growth_percent: Math.round(growth * 1_000) / 10 }
  })
  const broken = processes.flatMap(({ early, late, growth_percent }, n) => [
    ...(growth_percent > growthAllowed * 100
      ? [`process ${n + 1} grew by ${growth_percent} %`]
      : []),
    ...(late.descriptors > early.descriptors + descriptorsAllowed
      ? [`process ${n + 1} went from ${early.descriptors} to ${late.descriptors} descriptors`]
      : []),
  ])
  const { edits, lookups, unavailable, failed, by_source, oldest_ms } = tally
  return {
    figures: {
      lasted_s: seconds,
      edits,
      lookups,
      unavailable,
      failed,
      by_source,
      oldest_ms,
      wrong_answers: load.wrong.length,
      processes,
    },
    broken: [...broken, ...load.wrong],
  }
}

function sampleOf(pid: number): Sample {
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return {
    rss_mb: Math.round(Number(rss) / 102.4) / 10,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  }
}

const middle = (samples: Sample[]): Sample => ({
  rss_mb: median(samples.map(({ rss_mb }) => rss_mb)),
  descriptors: median(samples.map(({ descriptors }) => descriptors)),
})

const median = (values: number[]): number =>
  values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
