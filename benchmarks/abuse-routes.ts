import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, script } from './load.ts'
import { type Facts, requestsOf, worstRequests } from './worst-requests.ts'

const connections = 64
const times = {
  afterAnswer: 5,
  longestAnswer: 5_000,
  warmUp: 150,
  flood: 600,
  quiet: 60,
  longestPause: 2_000,
}
const betweenFloods = { windowMs: times.quiet, busyShare: 0.1, longestMs: times.longestPause }
/** A service compiles its shapes in pauses after the start, in turns of up to 10 ms. */
const afterStart = { windowMs: 1_000, busyShare: 0.02, longestMs: 90_000 }
/** A lookup of another network on schedule; waiting counts. */
const lookupEveryMs = 6
/** A route beyond the promise is measured again, each time after a control: it must be beyond each time. */
const tries = 3
/** Each control is as old as so many routes at most. */
const routesPerControl = 8
const promised = { heldMs: 10, p95Ms: 50 }

type Stage = { port: number; probePath: string; path: string; facts: Facts }

type Hold = { held: number; first: number; answers: string[] }
type Flood = {
  p95: number
  max: number
  turn_p95: number
  statuses: Record<string, number>
  rate: number
  out: number
}

/**
 * Measures the worst requests of each route: alone by the longest turn of the event loop, and from
 * 64 connections of one network by the lookups of another network. Each figure stands beside a control
 * of the same minute, a plain lookup in place of the worst request.
 */
export async function measureRoutes(stage: Stage, routes: readonly string[], hasFloods: boolean) {
  const holds = await createHoldProbe(stage.probePath)
  const lookups = createLookups(stage)
  const attacker = createAttacker(stage.port)
  const plain = [[`GET ${stage.path} HTTP/1.1\r\nHost: localhost\r\n\r\n`]]
  const figures: Record<string, string> = {}
  const beyond: Record<string, string> = {}
  const measured: { route: string; requests: (address: string) => string[][] }[] = []
  for (const route of routes) {
    const entry = worstRequests[route]
    if (entry && !('exempt' in entry)) {
      measured.push({ route, requests: (address) => requestsOf(route, stage.facts, address) })
    } else if (entry) figures[route] = entry.exempt
    else beyond[route] = figures[route] = 'There is no entry for it.'
  }

  /** The longest turn of each kind of request: the first of the process, and the median of the next. */
  const holdOf = async (kinds: string[][]): Promise<Hold> => {
    const hold: Hold = { held: 0, first: 0, answers: [] }
    for (const [nth, variants] of kinds.entries()) {
      const turns: number[] = []
      let answer = ''
      for (let n = 0; n < 4; n++) {
        await holds.ask('begin')
        answer = await sendOnce(stage.port, variants[n % variants.length] ?? '')
        await sleep(times.afterAnswer)
        turns.push((await holds.ask('end')).longest)
      }
      const [first = 0, ...next] = turns
      if (nth === 0) hold.first = first
      hold.held = Math.max(hold.held, median(next))
      hold.answers.push(answer)
    }
    return hold
  }
  const flood = async (kinds: string[][]): Promise<Flood> => {
    await holds.settle(betweenFloods)
    await attacker.begin(interleave(kinds))
    await sleep(times.warmUp)
    await holds.ask('begin')
    const { p95, max } = await lookups.run(times.flood)
    const turns = await holds.ask('end')
    const { statuses, received } = await attacker.end()
    const seconds = (times.warmUp + times.flood) / 1_000
    const count = Object.values(statuses).reduce((sum, amount) => sum + amount, 0)
    return {
      p95,
      max,
      turn_p95: turns.p95,
      statuses,
      rate: count / seconds,
      out: received / seconds,
    }
  }

  await holds.settle(afterStart)
  const controls = { alone: [] as number[], flood: [] as number[] }
  let control = 0
  for (const [nth, { route, requests }] of measured.entries()) {
    if (nth % routesPerControl === 0) {
      control = (await holdOf(plain)).held
      controls.alone.push(control)
    }
    const hold = await holdOf(requests(addressOf(nth, 1)))
    figures[route] =
      `one request: ${[...new Set(hold.answers)].join(', ')}, holds ${round(hold.held)} ms (first of the process ${round(hold.first)}, control ${round(control)})`
    if (hold.held - control > promised.heldMs) beyond[route] = 'holds'
    process.stderr.write(`${beyond[route] ?? 'kept'}: ${route}: ${figures[route]}\n`)
  }

  const floodPlain = async () => {
    const { p95 } = await flood(plain)
    controls.flood.push(p95)
    return p95
  }
  let calm = 0
  for (const [nth, { route, requests }] of hasFloods ? measured.entries() : []) {
    if (nth % routesPerControl === 0) calm = await floodPlain()
    const pairs: (Flood & { control: number })[] = []
    // Each try has a wide network of its own, with full rate limits.
    for (let n = 0; n < tries; n++) {
      if (n > 0) calm = await floodPlain()
      // The first objects of one-time requests are gone.
      const kinds = requests(addressOf(nth, 2 + n)).map((all) => all.slice(all.length > 8 ? 8 : 0))
      pairs.push({ ...(await flood(kinds)), control: calm })
      const { p95 = 0, control = 0 } = pairs.at(-1) ?? {}
      if (p95 - control <= promised.p95Ms) break
    }
    const beyondControl = ({ p95, control }: (typeof pairs)[0]) => p95 - control
    const shown = pairs.toSorted((one, other) => beyondControl(one) - beyondControl(other))[0]
    if (!shown) continue
    const isDelay = beyondControl(shown) > promised.p95Ms
    if (isDelay) beyond[route] = [beyond[route] ?? '', 'delays'].filter(Boolean).join(' and ')
    figures[route] = [
      figures[route],
      `flood: lookups p95 ${round(shown.p95)} ms (control ${round(shown.control)}), max ${round(shown.max)}, turns p95 ${round(shown.turn_p95)}`,
      `${Math.round(shown.rate)} requests/s, ${Math.round(shown.out / 1_000)} kB/s out`,
      Object.entries(shown.statuses)
        .map(([status, amount]) => `${status} × ${amount}`)
        .join(' '),
    ].join('; ')
    process.stderr.write(`${beyond[route] ?? 'kept'}: ${route}: ${figures[route]}\n`)
  }
  lookups.close()
  attacker.close()
  holds.close()
  const rangeOf = (list: number[]) =>
    list.length > 0 ? `${round(median(list))}, at most ${round(Math.max(...list))}` : 'not measured'
  return {
    promised: { ...promised, meaning: 'beyond the control' },
    control: {
      request: 'a plain lookup from as many connections',
      held_ms: rangeOf(controls.alone),
      p95_ms: rangeOf(controls.flood),
    },
    beyond,
    figures,
  }
}

const round = (value: number): number => Math.round(value * 10) / 10

/** A wide network per route and try, none of which others use. */
const addressOf = (nth: number, attempt: number): string =>
  `${20 + 40 * attempt + Math.floor(nth / 250)}.${nth % 250}.0.1`

/** One request of each kind in turn. */
function interleave(kinds: string[][]): string[] {
  const longest = Math.max(...kinds.map(({ length }) => length))
  return Array.from({ length: longest }, (_, n) =>
    kinds.map((variants) => variants[n % variants.length] ?? ''),
  ).flat()
}

type Turns = { longest: number; p95: number; used: number }

async function createHoldProbe(path: string) {
  const socket = connect(path)
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const ask = async (command: 'begin' | 'end' | 'used'): Promise<Turns> => {
    socket.write(command)
    return JSON.parse((await lines.next()).value)
  }
  return {
    ask,
    /** Waits until the service has finished its work, or no longer. */
    async settle({ windowMs, busyShare, longestMs }: typeof betweenFloods) {
      const start = performance.now()
      while (performance.now() - start < longestMs) {
        const before = (await ask('used')).used
        await sleep(windowMs)
        const used = (await ask('used')).used - before
        if (used < windowMs * busyShare) return
      }
    },
    close: () => socket.destroy(),
  }
}

/** Looks one id up on schedule, from this process, which does nothing else. */
function createLookups({ port, path }: Pick<Stage, 'port' | 'path'>) {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n`
  const free: Socket[] = []
  const take = () => {
    let socket = free.pop()
    // The service closes idle connections.
    while (socket?.destroyed) socket = free.pop()
    return socket ?? open()
  }
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
    async run(forMs: number) {
      const start = performance.now()
      const waits: Promise<number>[] = []
      for (let due = start; due < start + forMs; due += lookupEveryMs) {
        const waitMs = due - performance.now()
        if (waitMs > 0) await sleep(waitMs)
        waits.push(lookUp(Math.min(performance.now(), due + lookupEveryMs)))
      }
      const sorted = (await Promise.all(waits)).sort((a, b) => a - b)
      const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
      return { p95: at(0.95), max: at(1) }
    },
    close() {
      for (const socket of free) socket.destroy()
    },
  }
}

/** Resolves with the status when the response has begun and nothing more comes. */
function sendOnce(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let status = 'closed'
    let quiet: NodeJS.Timeout | undefined
    const done = () => {
      socket.destroy()
      resolve(status)
    }
    socket.once('data', (chunk) => {
      status = chunk.toString('latin1').slice(9, 12)
    })
    socket.on('data', () => {
      clearTimeout(quiet)
      quiet = setTimeout(done, times.afterAnswer)
    })
    socket.once('close', done).on('error', done)
    setTimeout(done, times.longestAnswer).unref()
  })
}

type Report = { statuses: Record<string, number>; sent: number; received: number }

/** One process for all attacks: its start takes longer than an attack. */
export function createAttacker(port: number) {
  const child = script('attack.mjs')
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[
    Symbol.asyncIterator
  ]()
  return {
    /** Resolves once the attack has begun. */
    async begin(requests: readonly string[], count = connections): Promise<void> {
      child.stdin?.write(`${JSON.stringify({ port, connections: count, requests })}\n`)
      await lines.next()
    },
    async end(): Promise<Report> {
      child.stdin?.write('\n')
      return JSON.parse((await lines.next()).value)
    },
    close: () => child.stdin?.end(),
  }
}
