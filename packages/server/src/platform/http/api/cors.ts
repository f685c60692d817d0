import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Any page may read public data (CORS). Our own web site, possibly at another origin, may call
 * everything. Credentials travel in headers, so `*` is safe; the one cookie, the device cookie, is
 * accepted from our own web site only.
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
      const isOwnOrigin = request.headers.origin === webOrigin
      if (isOwnOrigin) reply.header('access-control-allow-credentials', 'true')
      return reply
        .header('access-control-allow-origin', isOwnOrigin ? webOrigin : '*')
        .header('access-control-allow-methods', isOwnOrigin ? everyMethod : readingMethods)
        .header('access-control-allow-headers', sentHeaders)
        .header('access-control-max-age', '86400')
        .header('vary', 'Origin')
        .send({})
    },
  })
}

export const shownOfReads = 'Content-Location, ETag, Retry-After, X-Request-Id, X-Served-From'
const shownOfWrites = `${shownOfReads}, Idempotency-Replayed, X-Next-Page, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset`
const readingMethods = 'GET, HEAD, POST'
const everyMethod = `${readingMethods}, PUT, PATCH, DELETE`
const sentHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Api-Key, X-Request-Id'

/** Unknown paths hold no secrets. */
function isPublicRead({ method, is404, routeOptions: { config } }: FastifyRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD'
  return is404 || config?.readable_everywhere === true || (reads && config?.access === 'public')
}
