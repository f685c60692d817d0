import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { OneOf } from '../../../platform/http/api/schemas.ts'
import { callerOf, userOf } from '../../operations/access/access.ts'
import type { ProxyServices } from './proxy.ts'

export const ProxyCall = Type.Object({
  service: OneOf(['Echo', 'Scraper'] as const),
  data: Type.Optional(
    Type.String({
      maxLength: 65_536,
      description: 'Echo: any text. Scraper: the http or https address of a public page',
    }),
  ),
})
export type ProxyCall = Static<typeof ProxyCall>

export const ProxyResult = Type.Object({
  json: Type.Unknown({ description: 'The value as JSON; null if it is not JSON' }),
  value: Type.String(),
})
export type ProxyResult = Static<typeof ProxyResult>

export const proxyRoutes: FastifyPluginAsyncTypebox<{ proxy: ProxyServices }> = async (
  app,
  { proxy },
) => {
  app.post('/proxy', {
    bodyLimit: 256 * 1024,
    config: {
      access: 'user',
      key_scopes: ['userData:update'],
      per_minute: [30, userOf],
    },
    schema: {
      operationId: 'callProxy',
      tags: ['Proxy'],
      summary: 'Call a predefined proxy service',
      description:
        'Echo returns the data. Scraper reads a public page and returns its url, title, description and image; a missing member is null.',
      body: ProxyCall,
      response: { 200: ProxyResult },
    },
    handler: async (request) => proxy.callProxy(callerOf(request), request.body),
  })
}
