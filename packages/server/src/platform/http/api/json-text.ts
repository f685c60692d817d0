import type { FastifyReply } from 'fastify'

/** Sends JSON text without a serializer. */
export const sendJson = (reply: FastifyReply, json: string | Buffer): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(json)

/**
 * A string as a JSON response. It is returned, not sent, so that the idempotency plugin can store
 * it.
 */
export function asJson(reply: FastifyReply, text: string): string {
  reply.type('application/json; charset=utf-8')
  return JSON.stringify(text)
}
