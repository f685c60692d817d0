import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, isKnown } from './etag.ts'

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
