import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Oversight } from './oversight.ts'
import * as schema from './schema.ts'

type Options = { oversight: Oversight }

export const oversightRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { oversight }) => {
  const tags = ['Operators']
  const params = schema.Params

  app.route({
    method: 'GET',
    url: '/admin/orders/:id/books',
    config: { access: 'order:read' },
    schema: {
      operationId: 'getOrderBooks',
      tags,
      summary: 'Every cent of an order, and every attempt to pay it',
      params,
      response: { 200: schema.Books },
    },
    handler: async ({ params }) => oversight.showOrderBooks(params.id),
  })

  app.route({
    method: 'GET',
    url: '/admin/codes/:id/uses',
    config: { access: 'code:read' },
    schema: {
      operationId: 'listCodeUses',
      tags,
      summary: 'Who used a code, and for which ids',
      params,
      querystring: schema.UseQuery,
      response: { 200: schema.UsePage },
    },
    handler: async ({ params, query }) => oversight.listCodeUses(params.id, query),
  })
}
