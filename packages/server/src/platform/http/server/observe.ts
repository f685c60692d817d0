import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../metrics/metrics.ts'
import { wantsEventStream } from './event-stream.ts'

const slowMs = 1_000

/** Counts and times every response. Paths are logged without their query, which may hold tokens. */
export function observeRequests(app: FastifyInstance, { requests }: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const ms = reply.elapsedTime
    // The time that a stream was open is no response time.
    if (wantsEventStream(request) && reply.statusCode === 200) return
    const route = routeOptions.url ?? 'unknown'
    requests.observe({ method, route, status: reply.statusCode }, ms / 1_000)
    const level = ms > slowMs ? 'warn' : 'debug'
    request.log[level](
      { request_id: request.id, method, route, status: reply.statusCode, ms: Math.round(ms) },
      'answered',
    )
  })
}
