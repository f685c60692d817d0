import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Any page may read what is public. Our own web site, which may live at another address, may
 * call everything. Credentials travel in headers, never in cookies, so `*` gives nothing away; the
 * one cookie, the device cookie, goes to our own web site alone.
 */
export function openPublicReads(app: FastifyInstance, webOrigin: string): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isPublicRead(request)) {
      reply.header('access-control-allow-origin', '*')
      if (request.headers.origin) reply.header('access-control-expose-headers', shownOfReads)
      return
    }
    reply.header('vary', 'Origin')
    if (request.headers.origin !== webOrigin) return
    reply.header('access-control-allow-origin', webOrigin)
    reply.header('access-control-allow-credentials', 'true')
    reply.header('access-control-expose-headers', shownOfWrites)
  })
  app.route({
    method: 'OPTIONS',
    url: '/*',
    config: { access: 'public' },
    schema: { hide: true },
    handler: async (request, reply) => {
      const ours = request.headers.origin === webOrigin
      if (ours) reply.header('access-control-allow-credentials', 'true')
      return reply
        .header('access-control-allow-origin', ours ? webOrigin : '*')
        .header('access-control-allow-methods', ours ? everyMethod : readingMethods)
        .header('access-control-allow-headers', sentHeaders)
        .header('access-control-max-age', '86400')
        .header('vary', 'Origin')
        .send({})
    },
  })
}

export const shownOfReads = 'ETag, Retry-After, X-Request-Id, X-Served-From'
const shownOfWrites = `${shownOfReads}, Idempotency-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset`
const readingMethods = 'GET, HEAD, POST'
const everyMethod = `${readingMethods}, PUT, PATCH, DELETE`
const sentHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Api-Key, X-Request-Id'

/** What there is no route for is nobody's secret either. */
function isPublicRead({ method, is404, routeOptions: { config } }: FastifyRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD' || config?.readable_everywhere === true
  return is404 || (reads && config?.access === 'public')
}
