import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A strong ETag: equal bytes have the same one in every process. */
export function etagOf(body: Uint8Array): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
}

/** True if the client has these bytes. Our ETags are quoted and contain neither comma nor quote. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && (ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag))
}

/** Adds an ETag to public reads without one, and answers 304 to a match. */
export function tagPublicReads(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPublic = request.routeOptions.config?.access === 'public'
    if (!isRead || !isPublic || reply.statusCode !== 200 || reply.hasHeader('etag')) return payload
    if (typeof payload !== 'string') return payload
    const etag = etagOf(Buffer.from(payload))
    reply.header('etag', etag)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'public, no-cache')
    if (!isKnown(request.headers['if-none-match'], etag)) return payload
    reply.code(304).removeHeader('content-length')
    // Not null: Fastify measures the body of a HEAD request.
    return ''
  })
}

/** A response that is constant while the process runs: serialized and hashed once. */
export function createFixedAnswer(type: string, make: () => string) {
  let answer: { body: Buffer; etag: string } | undefined
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (!answer) {
      const body = Buffer.from(make())
      answer = { body, etag: etagOf(body) }
    }
    reply.header('etag', answer.etag).header('cache-control', 'public, no-cache')
    if (isKnown(request.headers['if-none-match'], answer.etag)) return reply.code(304).send()
    return reply.type(type).send(answer.body)
  }
}
