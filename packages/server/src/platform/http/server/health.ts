import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../metrics/metrics.ts'
import { wantsEventStream } from './event-stream.ts'

/** The reasons why this process is not ready; empty if it is ready. */
export type Readiness = () => string[]

/** For load balancers and supervisors: live means “do not restart”, ready means “send requests”. */
export function answerHealth(
  app: FastifyInstance,
  obstacles: Readiness,
  details: () => object,
): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const list = obstacles()
    if (list.length === 0) return { status: 'ready', ...details() }
    return reply
      .code(503)
      .header('retry-after', '1')
      .send({ status: 'not ready', obstacles: list, ...details() })
  })
}

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
