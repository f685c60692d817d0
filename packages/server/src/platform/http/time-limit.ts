import type { FastifyInstance, FastifyReply } from 'fastify'
import { refusal } from '../errors.ts'

/** The time that reading may take, from the head of the request to its answer. */
const readLimitMs = 4_800
/**
 * The time that changes may take. What a provider is slow to confirm still happens, so its answer
 * is worth waiting for; every statement and every call of a provider has a shorter limit of its own.
 */
const changeLimitMs = 30_000

/**
 * Ends requests whose handler does not come to an end. The framework's own limit ends with the
 * request's `close` event, which comes as soon as a body was read, so that it never ended a POST.
 */
export function limitTime(app: FastifyInstance, patience: number): void {
  const answered = new WeakSet<FastifyReply>()
  app.addHook('onRequest', async ({ method, routeOptions }, reply) => {
    const usualMs = method === 'GET' || method === 'HEAD' ? readLimitMs : changeLimitMs
    const end = () => {
      if (reply.sent) return
      // What has begun cannot become another answer.
      if (reply.raw.headersSent) reply.raw.destroy()
      else if (!answered.has(reply)) reply.send(tookTooLong())
    }
    const limitMs = routeOptions.config.time_limit_ms ?? usualMs
    const timer = setTimeout(end, limitMs * patience)
    reply.raw.once('close', () => clearTimeout(timer))
  })
  app.addHook('onSend', async (_request, reply) => void answered.add(reply))
}

const tookTooLong = () =>
  refusal('unavailable', 'timeout', 'This took too long. Try again shortly.', {
    retry_after_seconds: 1,
  })
