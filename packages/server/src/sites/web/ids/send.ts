import type { FastifyReply } from 'fastify'

export const sendPage = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply.code(status).type('text/html; charset=utf-8').send(page)

/** The spelling of an id never changes, so browsers may cache the redirect. */
export const leadToSpelling = (reply: FastifyReply, address: string): FastifyReply =>
  reply.header('cache-control', 'public, max-age=86400').redirect(address, 308)
