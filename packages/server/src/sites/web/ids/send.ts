import type { FastifyReply } from 'fastify'

export const sendPage = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply.code(status).type('text/html; charset=utf-8').send(page)

/** How an id is spelled never changes, so browsers may remember it. */
export const leadToSpelling = (reply: FastifyReply, address: string): FastifyReply =>
  reply.header('cache-control', 'public, max-age=86400').redirect(address, 308)
