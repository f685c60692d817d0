import type { FastifyInstance } from 'fastify'

/** What keeps this process from serving, in words; nothing when it may be given requests. */
export type Readiness = () => string[]

/** For balancers and supervisors: alive is "do not restart me", ready is "send me requests". */
export function answerHealth(
  app: FastifyInstance,
  obstacles: Readiness,
  details: () => object,
): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const found = obstacles()
    if (found.length === 0) return { status: 'ready', ...details() }
    return reply
      .code(503)
      .header('retry-after', '1')
      .send({ status: 'not ready', obstacles: found, ...details() })
  })
}
