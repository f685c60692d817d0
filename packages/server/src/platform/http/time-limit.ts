import type { FastifyInstance, FastifyReply } from 'fastify'
import { refusal } from '../errors.ts'

/** The time limit of reads, from the request head to the response. */
const readLimitMs = 4_800
/**
 * The time limit of changes. A provider that confirms late still acts, so waiting is worth it;
 * every statement and provider call has a shorter limit.
 */
const changeLimitMs = 30_000

/**
 * Time limit of handlers. The framework's own limit is cleared by the request's `close` event,
 * which fires once a body is read, so it never ends a POST.
 */
export function limitTime(app: FastifyInstance, patience: number): void {
  const answeredReplies = new WeakSet<FastifyReply>()
  app.addHook('onRequest', async ({ method, routeOptions }, reply) => {
    const usualMs = method === 'GET' || method === 'HEAD' ? readLimitMs : changeLimitMs
    const end = () => {
      if (reply.sent) return
      // A started response cannot be replaced.
      if (reply.raw.headersSent) reply.raw.destroy()
      else if (!answeredReplies.has(reply)) reply.send(tookTooLong())
    }
    const limitMs = routeOptions.config.time_limit_ms ?? usualMs
    const timer = setTimeout(end, limitMs * patience)
    reply.raw.once('close', () => clearTimeout(timer))
  })
  app.addHook('onSend', async (_request, reply) => void answeredReplies.add(reply))
}

const tookTooLong = () =>
  refusal('unavailable', 'timeout', 'This took too long. Try again shortly.', {
    retry_after_seconds: 1,
  })
