import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { minuteMs } from '../../../platform/time.ts'
import { callerOf } from '../../operations/access/index.ts'
import type { ProxyServices } from './proxy.ts'
import { ProxyCall, ProxyResult } from './schema.ts'

export const proxyRoutes: FastifyPluginAsyncTypebox<{ proxy: ProxyServices }> = async (
  app,
  { proxy },
) => {
  app.route({
    method: 'POST',
    url: '/proxy',
    bodyLimit: 256 * 1024,
    config: {
      access: 'user',
      key_scopes: ['userData:update'],
      rateLimit: {
        max: 30,
        timeWindow: minuteMs,
        keyGenerator: (request) => callerOf(request).user_id,
      },
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
