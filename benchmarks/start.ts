// Measures the start on a warm data folder and the memory of an idle service: npm run bench:start
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchReady, newPlace } from '../packages/server/test/support/process.ts'
import { report } from './report.ts'

const warmStarts = 7
const idleMs = 15_000

const place = await newPlace()
const cold = await launchReady(place.env)
await stop(cold)

const times: number[] = []
for (let n = 0; n < warmStarts; n++) {
  const service = await launchReady(place.env)
  times.push(service.readyMs)
  if (n < warmStarts - 1) await stop(service)
  else {
    await sleep(idleMs)
    const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8')
    const residentMb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
    await stop(service)
    times.sort((a, b) => a - b)
    report(new URL('.', import.meta.url), 'start', {
      cold_start_ms: cold.readyMs,
      warm_start_ms: { median: times[3], slowest: times.at(-1), promised: 3_000 },
      idle_resident_mb: { measured: residentMb, promised: 150 },
    })
  }
}
await place.clear()

async function stop({ child, exited }: typeof cold): Promise<void> {
  child.kill('SIGTERM')
  await exited
}
