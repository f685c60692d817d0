import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '../../errors.ts'
import { takeTurn } from '../../turns.ts'
import { networkOf } from '../network.ts'
import { wantsEventStream } from './event-stream.ts'

export type OverloadLimits = { maxInFlight: number; maxDelayMs: number }

/** Protects the sites it is installed on, counting their requests together. */
export type OverloadGate = (app: FastifyInstance) => void

const sampleEveryMs = 100
/** The timer stops after so many samples without work: each sample wakes an idle process. */
const idleSamples = 10
/** One long turn of the event loop is a hiccup; a queue that lasts is overload. */
const lastingMs = 300
/** Requests of one network at once, while the queue is longer than a quarter of the limit. */
const shareUnderStrain = 8
/** Every network may have one request under overload, up to so many together. */
const inFlightUnderOverload = 100

type Pressure = 'none' | 'strain' | 'overload'

/** Tells from the age of the queue, sample by sample, how much work to refuse. */
export function createPressure(maxDelayMs: number) {
  const slowSince: Record<Exclude<Pressure, 'none'>, number | undefined> = {
    strain: undefined,
    overload: undefined,
  }
  const note = (kind: keyof typeof slowSince, isSlow: boolean, at: number, ageMs: number) => {
    slowSince[kind] = isSlow ? (slowSince[kind] ?? at - Math.min(ageMs, lastingMs / 2)) : undefined
    return isSlow && at - (slowSince[kind] ?? at) >= lastingMs
  }
  return (ageMs: number, at: number): Pressure => {
    const isStrained = note('strain', ageMs > maxDelayMs / 4, at, ageMs)
    if (note('overload', ageMs > maxDelayMs, at, ageMs)) return 'overload'
    return isStrained ? 'strain' : 'none'
  }
}

/** A pause without refusals that ends shedding. */
const quietMs = 5_000

/** For how many seconds a process has shed requests, without such a pause; 0 if it does not. */
export function createShedding(now: () => number = () => performance.now()) {
  let [began, latest] = [0, Number.NEGATIVE_INFINITY]
  return {
    note() {
      const at = now()
      if (at - latest > quietMs) began = at
      latest = at
    },
    seconds: (): number => (now() - latest > quietMs ? 0 : Math.ceil((now() - began) / 1_000)),
  }
}

/**
 * Load shedding: rejects requests early while the process is overloaded, so that the rest stay
 * fast. First those of networks with many requests at once.
 */
export function createOverloadGate(
  root: FastifyInstance,
  { maxInFlight, maxDelayMs }: OverloadLimits = { maxInFlight: 1_000, maxDelayMs: 400 },
  onShed: () => void = () => {},
): OverloadGate {
  /** The requests being handled, oldest first, with the time of their start. */
  const inFlight = new Map<FastifyReply, number>()
  const countOf = new Map<string, number>()
  const measure = createPressure(maxDelayMs)
  let pressure: Pressure = 'none'
  let timer: NodeJS.Timeout | undefined
  root.addHook('onClose', async () => clearInterval(timer))

  const watch = () => {
    let [last, used, idle] = [performance.now(), performance.eventLoopUtilization(), 0]
    timer ??= setInterval(() => {
      const now = performance.now()
      const lateMs = now - last - sampleEveryMs
      const latest = performance.eventLoopUtilization()
      // Requests that wait for others than this process are no queue.
      const isBusy = performance.eventLoopUtilization(latest, used).utilization > 0.8
      pressure = measure(isBusy ? Math.max(lateMs, medianAge(inFlight, now)) : 0, now)
      idle = inFlight.size > 0 || isBusy ? 0 : idle + 1
      ;[last, used] = [now, latest]
      if (idle < idleSamples) return
      clearInterval(timer)
      timer = undefined
    }, sampleEveryMs).unref()
  }
  /** `counted` is 1 if the request itself is in flight. */
  const assertRoom = (network: string, counted: 0 | 1 = 0) => {
    const own = (countOf.get(network) ?? 0) - counted
    const all = inFlight.size - counted
    const isFull =
      all >= maxInFlight ||
      (pressure === 'strain' && own >= shareUnderStrain) ||
      (pressure === 'overload' && (own > 0 || all >= inFlightUnderOverload))
    if (!isFull) return
    onShed()
    throw overloaded()
  }
  return (app) => {
    const leaving = new WeakMap<FastifyReply, () => void>()
    const enter = (request: FastifyRequest, reply: FastifyReply) => {
      // Nothing tells when a client leaves that has left already.
      if (leaving.has(reply) || reply.sent || reply.raw.destroyed) return
      // A stream is open for minutes and hardly works; its number has a limit of its own.
      if (wantsEventStream(request)) return
      const network = networkOf(request.ip)
      inFlight.set(reply, performance.now())
      countOf.set(network, (countOf.get(network) ?? 0) + 1)
      if (!timer) watch()
      const leave = () => {
        if (!leaving.delete(reply)) return
        inFlight.delete(reply)
        const rest = (countOf.get(network) ?? 1) - 1
        if (rest > 0) countOf.set(network, rest)
        else countOf.delete(network)
      }
      leaving.set(reply, leave)
      // No later hook runs if the client disconnects.
      reply.raw.once('close', leave)
    }
    app.addHook('onRequest', async ({ ip }) => assertRoom(networkOf(ip)))
    // Counts only work, from a complete request to a ready response: slow senders and slow readers
    // take no place. A complete body can wait for its turn before it is parsed.
    app.addHook('preParsing', async (request, reply) => {
      request.raw.once('end', () => enter(request, reply))
    })
    app.addHook('preValidation', async (request, reply) => {
      const network = networkOf(request.ip)
      assertRoom(network, leaving.has(reply) ? 1 : 0)
      enter(request, reply)
      if (leaving.has(reply)) await takeTurn(network)
      // The client has left while the request waited.
      if (reply.raw.destroyed) reply.hijack()
    })
    app.addHook('onSend', async (_request, reply) => leaving.get(reply)?.())
  }
}

/** Half of the requests have waited longer: a few may wait for a provider. */
function medianAge(inFlight: ReadonlyMap<unknown, number>, now: number): number {
  const startTimes = [...inFlight.values()]
  return now - (startTimes[Math.floor(startTimes.length / 2)] ?? now)
}

const overloaded = () =>
  refusal('unavailable', 'overloaded', 'The service is overloaded. Try again shortly.', {
    retry_after_seconds: 1,
  })
