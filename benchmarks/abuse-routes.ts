import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { script } from './load.ts'
import { type Facts, requestsOf, worstRequests } from './worst-requests.ts'

const connections = 64
const times = { alone: 250, warmUp: 150, flood: 500, pause: 50, longestPause: 1_000 }
/** A lookup of another network on schedule; waiting counts. */
const lookupEveryMs = { alone: 3, flood: 10 }
const promised = { heldMs: 10, p95Ms: 50 }

type Stage = { port: number; pid: number; path: string; facts: Facts }

/** Measures the worst request of each route, alone and in a flood. */
export async function measureRoutes(stage: Stage, routes: readonly string[]) {
  const figures: Record<string, string> = {}
  const broken: string[] = []
  const probe = createProbe(stage)
  const usual = await probe.run(lookupEveryMs.alone, 1_000)
  /** How much longer than usual a lookup of another network waits for one request. */
  const holdOf = async (request: string) => {
    const [beside] = await Promise.all([
      probe.run(lookupEveryMs.alone, times.alone),
      sleep(50).then(() => sendOnce(stage.port, request)),
    ])
    return beside.max - usual.p50
  }
  for (const [nth, route] of routes.entries()) {
    const entry = worstRequests[route]
    if (!entry || 'exempt' in entry) {
      figures[route] = entry ? entry.exempt : 'There is no entry for it.'
      if (!entry) broken.push(route)
      continue
    }
    // Each route has a wide network of its own, with full rate limits.
    const requests = requestsOf(route, stage.facts, `${11 + (nth % 200)}.${nth % 250}.0.1`)
    // The first request of a process also compiles the shapes of its route.
    const first = await holdOf(requests[0] ?? '')
    await settle(probe)
    const held = await holdOf(requests[1] ?? requests[0] ?? '')
    await settle(probe)
    const flood = await begin(stage.port, requests)
    await sleep(times.warmUp)
    const before = processorSeconds(stage.pid)
    const start = performance.now()
    const lookups = await probe.run(lookupEveryMs.flood, times.flood)
    const seconds = (performance.now() - start) / 1_000
    const cores = (processorSeconds(stage.pid) - before) / seconds
    const { statuses, sent, received } = await flood.end()
    const flooded = seconds + times.warmUp / 1_000
    const perSecond = (amount: number) => Math.round(amount / flooded)
    const count = Object.values(statuses).reduce((sum, times) => sum + times, 0)
    const isBroken = held > promised.heldMs || lookups.p95 > promised.p95Ms
    if (isBroken) broken.push(route)
    figures[route] = [
      `${isBroken ? 'BROKEN' : 'kept'}: one request holds ${round(held)} ms (the first ${round(first)})`,
      `flood: lookups p95 ${round(lookups.p95)} ms, max ${round(lookups.max)} ms`,
      `${round(cores)} cores, ${perSecond(count)} requests/s`,
      `${perSecond(sent / 1_000)} kB/s in, ${perSecond(received / 1_000)} kB/s out`,
      Object.entries(statuses)
        .map(([status, times]) => `${status} × ${times}`)
        .join(' '),
    ].join('; ')
    process.stderr.write(`${route}: ${figures[route]}\n`)
    await settle(probe)
  }
  probe.close()
  return { promised, usual_p95_ms: round(usual.p95), figures, broken }
}

const round = (value: number): number => Math.round(value * 10) / 10

/** Waits until lookups are as fast as usual, or no longer. */
async function settle(probe: ReturnType<typeof createProbe>): Promise<void> {
  const start = performance.now()
  do await sleep(times.pause)
  while ((await probe.run(5, 25)).max > 10 && performance.now() - start < times.longestPause)
}

const ticksPerSecond = 100

/** User and system time of a process. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Looks one id up on schedule, from this process, which does nothing else. */
function createProbe({ port, path }: Pick<Stage, 'port' | 'path'>) {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n`
  const free: Socket[] = []
  const take = () => free.pop() ?? open()
  const open = () => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    return socket.on('error', () => {})
  }
  const lookUp = (due: number) =>
    new Promise<number>((resolve) => {
      const socket = take()
      const done = () => {
        socket.off('data', done).off('close', done)
        if (!socket.destroyed) free.push(socket)
        resolve(performance.now() - due)
      }
      socket.once('data', done).once('close', done)
      socket.write(request)
    })
  return {
    async run(everyMs: number, forMs: number) {
      const start = performance.now()
      const lookups: Promise<number>[] = []
      for (let due = start; due < start + forMs; due += everyMs) {
        const waitMs = due - performance.now()
        if (waitMs > 0) await sleep(waitMs)
        lookups.push(lookUp(Math.min(performance.now(), due + everyMs)))
      }
      const sorted = (await Promise.all(lookups)).sort((a, b) => a - b)
      const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
      return { p50: at(0.5), p95: at(0.95), max: at(1) }
    },
    close() {
      for (const socket of free) socket.destroy()
    },
  }
}

/** Until the response begins. */
function sendOnce(port: number, request: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    const done = () => {
      resolve()
      setTimeout(() => socket.destroy(), times.alone)
    }
    socket.once('data', done).once('close', done).on('error', done)
    socket.resume()
  })
}

type Flood = { statuses: Record<string, number>; sent: number; received: number }

/** Resolves once the flood has begun: the start of its process takes a while. */
async function begin(port: number, requests: readonly string[]) {
  const child = script('attack.mjs')
  child.stdin?.write(`${JSON.stringify({ port, connections, requests, measures_bytes: true })}\n`)
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  if (child.stdout) await once(child.stdout, 'data')
  return {
    async end(): Promise<Flood> {
      child.stdin?.end()
      await once(child, 'close')
      return JSON.parse(text)
    },
  }
}
