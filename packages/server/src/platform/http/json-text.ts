import type { FastifyReply } from 'fastify'

/** A text alone is JSON too. */
export function asJson(reply: FastifyReply, text: string): string {
  reply.type('application/json; charset=utf-8')
  return JSON.stringify(text)
}
