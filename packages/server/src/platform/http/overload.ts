import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { refusal } from '../errors.ts'

const sampleEveryMs = 500
const nanosecondsPerMs = 1e6

export type OverloadLimits = { maxInFlight: number; maxDelayMs: number }

/** Guards the sites it is put on, counting them together. */
export type OverloadGate = (app: FastifyInstance) => void

/** Turns requests away early while the process has more to do than it can, so that the rest stay quick. */
export function createOverloadGate(
  root: FastifyInstance,
  { maxInFlight, maxDelayMs }: OverloadLimits = { maxInFlight: 1_000, maxDelayMs: 400 },
): OverloadGate {
  let inFlight = 0
  let slowSamples = 0
  const delay = monitorEventLoopDelay({ resolution: 20 })
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
    // One long turn of the event loop is a hiccup that is over; one after the other is overload.
    if (inFlight >= maxInFlight || slowSamples >= 2) throw overloaded()
  }
  return (app) => {
    const leaving = new WeakMap<FastifyReply, () => void>()
    app.addHook('onRequest', async () => assertRoom())
    // Counted is the work alone, from a request that has arrived to an answer that is made: neither
    // who sends slowly nor who never reads takes a place that others need.
    app.addHook('preValidation', async (_request, reply) => {
      assertRoom()
      inFlight++
      const leave = () => {
        if (leaving.delete(reply)) inFlight--
      }
      leaving.set(reply, leave)
      // Also when the client leaves half-way, which no later hook is told of.
      reply.raw.once('close', leave)
    })
    app.addHook('onSend', async (_request, reply) => leaving.get(reply)?.())
  }
}

const overloaded = () =>
  refusal('unavailable', 'overloaded', 'The service has too much to do. Try again shortly.', {
    retry_after_seconds: 1,
  })
