import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { minuteMs } from '../../../platform/time.ts'
import { callerOf } from '../../operations/access/index.ts'
import type { Orders } from './orders.ts'
import * as schema from './schema.ts'

type Options = { orders: Orders }

export const orderRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { orders }) => {
  const tags = ['Orders']

  app.route({
    method: 'GET',
    url: '/orders',
    config: {
      access: ['order:readSelf', 'order:read'],
      rateLimit: { max: 3_000, timeWindow: 60_000 },
    },
    schema: {
      operationId: 'listOrders',
      tags,
      summary: 'Own orders; all of them for operators',
      description: 'With organization_id also the sales of a partner, for its power roles.',
      querystring: schema.OrderQuery,
      response: { 200: schema.OrderPage },
    },
    handler: async (request) => orders.listOrders(callerOf(request), request.query),
  })

  app.route({
    method: 'GET',
    url: '/orders/:id',
    config: { access: ['order:readSelf', 'order:read'] },
    schema: {
      operationId: 'getOrder',
      tags,
      summary: 'An order, to see whether it is paid',
      params: schema.OrderParams,
      response: { 200: schema.DisplayOrder },
    },
    handler: async (request) => orders.showOrderTo(callerOf(request), request.params.id),
  })

  app.route({
    method: 'POST',
    url: '/orders/:id/resend_confirmation',
    config: {
      access: ['order:readSelf', 'order:resendConfirmation'],
      idempotent: true,
      rateLimit: { max: 30, timeWindow: minuteMs },
    },
    schema: {
      operationId: 'resendConfirmation',
      tags,
      summary: 'Mail the receipt once more',
      description: 'Of one’s own order, or of any for operators. It goes to the buyer.',
      params: schema.OrderParams,
      response: { 200: schema.DisplayOrder },
    },
    handler: async (request) => orders.resendReceipt(callerOf(request), request.params.id),
  })
}

export const orderBookRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { orders }) => {
  app.route({
    method: 'GET',
    url: '/admin/orders/:id/books',
    config: { access: 'order:read' },
    schema: {
      operationId: 'getOrderBooks',
      tags: ['Operators'],
      summary: 'Every cent of an order, and every attempt to pay it',
      params: schema.OrderParams,
      response: { 200: schema.OrderBooks },
    },
    handler: async ({ params }) => orders.showOrderBooks(params.id),
  })
}
