import type { FastifyInstance } from 'fastify'

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
