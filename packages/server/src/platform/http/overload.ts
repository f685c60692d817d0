import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { refusal } from '../errors.ts'
import { wantsEventStream } from './event-stream.ts'

const sampleEveryMs = 500
const nanosecondsPerMs = 1e6

export type OverloadLimits = { maxInFlight: number; maxDelayMs: number }

/** Protects the sites it is installed on, counting their requests together. */
export type OverloadGate = (app: FastifyInstance) => void

/**
 * Load shedding: rejects requests early while the process is overloaded, so that the rest stay
 * fast.
 */
export function createOverloadGate(
  root: FastifyInstance,
  { maxInFlight, maxDelayMs }: OverloadLimits = { maxInFlight: 1_000, maxDelayMs: 400 },
): OverloadGate {
  let inFlight = 0
  let slowSamples = 0
  // Each sample wakes an idle process.
  const delay = monitorEventLoopDelay({ resolution: 100 })
  delay.enable()
  const timer = setInterval(() => {
    const isSlow = delay.percentile(50) / nanosecondsPerMs > maxDelayMs
    slowSamples = isSlow ? slowSamples + 1 : 0
    delay.reset()
  }, sampleEveryMs).unref()
  root.addHook('onClose', async () => {
    clearInterval(timer)
    delay.disable()
  })

  const assertRoom = () => {
    // One long turn of the event loop is a hiccup; several in a row are overload.
    if (inFlight >= maxInFlight || slowSamples >= 2) throw overloaded()
  }
  return (app) => {
    const leaving = new WeakMap<FastifyReply, () => void>()
    app.addHook('onRequest', async () => assertRoom())
    // Counts only work, from a complete request to a ready response: slow senders and slow readers
    // take no place.
    app.addHook('preValidation', async (request, reply) => {
      assertRoom()
      // A stream is open for minutes and hardly works; its number has a limit of its own.
      if (wantsEventStream(request)) return
      inFlight++
      const leave = () => {
        if (leaving.delete(reply)) inFlight--
      }
      leaving.set(reply, leave)
      // Also when the client disconnects, for which no later hook runs.
      reply.raw.once('close', leave)
    })
    app.addHook('onSend', async (_request, reply) => leaving.get(reply)?.())
  }
}

const overloaded = () =>
  refusal('unavailable', 'overloaded', 'The service is overloaded. Try again shortly.', {
    retry_after_seconds: 1,
  })
