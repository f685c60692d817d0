import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forRequest } from '../../request-id.ts'
import { networkOf } from '../network.ts'
import type { SiteLinks } from '../pages/links.ts'

type Options = { https: boolean; isDraining: () => boolean; links: SiteLinks }

/** Headers of every response, on every site. */
export function addCommonHeaders(
  app: FastifyInstance,
  { https, isDraining, links }: Options,
): void {
  app.addHook('onRequest', ({ id, ip, headers }, reply, done) => {
    const client = { network: networkOf(ip), agent: headers['user-agent'] }
    forRequest({ id, ...client, links, isGone: () => reply.raw.destroyed }, done)
  })
  app.addHook('onRequest', async (request, reply) => {
    identify(request, reply)
    if (https) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    if (isDraining()) reply.header('connection', 'close')
  })
}

export function identify(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
}

/** A request id that a client may choose. */
export const isRequestId = (text: string): boolean => /^[\w.:-]{1,128}$/.test(text)
