import type { FastifyReply } from 'fastify'

/** Sends what is JSON already. */
export const sendJson = (reply: FastifyReply, json: string | Buffer): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(json)

/** A text alone is JSON too. Returned and not sent: whoever keeps answers for a repeat waits for it. */
export function asJson(reply: FastifyReply, text: string): string {
  reply.type('application/json; charset=utf-8')
  return JSON.stringify(text)
}
