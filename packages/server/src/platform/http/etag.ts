import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** A strong ETag: the same bytes have the same one, in every process. */
export function etagOf(body: Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
}

/** Whether the asker has these bytes already. Our ETags are quoted and hold neither comma nor quote. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && (ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag))
}

/** Public reads that bring no ETag of their own get one, and a repeat with it gets 304. */
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
    return null
  })
}
