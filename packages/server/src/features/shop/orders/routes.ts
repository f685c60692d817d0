import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { groupRoutes } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import { orderCosts } from './charge-items.ts'
import type { Orders } from './orders.ts'
import * as schema from './schema.ts'

type Options = { orders: Orders }

export const orderRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { orders }) => {
  groupRoutes(app, 'Orders')

  app.get('/orders', {
    config: {
      access: ['order:readSelf', 'order:read'],
      cost: [orders.work, orderCosts.request],
      csv: [
        'id',
        'order_number',
        'status',
        'user.email',
        'order_items.emoji_id',
        'total_in_cents',
        'refunded_total_in_cents',
        'created_at',
        'paid_at',
        'refund_requested_at',
        'refund_answered_at',
        'organization_id',
      ],
    },
    schema: {
      operationId: 'listOrders',
      summary: 'List own orders; all orders for operators',
      description: 'With organization_id also the sales of a partner, for its power roles.',
      querystring: schema.OrderQuery,
      response: { 200: schema.OrderPage },
    },
    handler: async (request) => orders.listOrders(callerOf(request), request.query),
  })

  app.get('/orders/:id', {
    config: { access: ['order:readSelf', 'order:read'], cost: [orders.work, orderCosts.request] },
    schema: {
      operationId: 'getOrder',
      summary: 'Show an order and its payment state',
      params: schema.OrderParams,
      response: { 200: schema.DisplayOrder },
    },
    handler: async (request) =>
      orders.chargeItems(orders.showOrderTo(callerOf(request), request.params.id)),
  })

  app.post('/orders/:id/resend_confirmation', {
    config: {
      access: ['order:readSelf', 'order:resendConfirmation'],
      idempotent: true,
      per_minute: 30,
    },
    schema: {
      operationId: 'resendConfirmation',
      summary: 'Mail the receipt again',
      description: 'For an own order, or for any order by operators. The email goes to the buyer.',
      params: schema.OrderParams,
      response: { 200: schema.DisplayOrder },
    },
    handler: async (request) => orders.resendReceipt(callerOf(request), request.params.id),
  })
}

export const orderBookRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { orders }) => {
  app.get('/admin/orders/:id/books', {
    config: { access: 'order:read' },
    schema: {
      operationId: 'getOrderBooks',
      tags: ['Operators'],
      summary: 'Show the ledger entries and payment attempts of an order',
      params: schema.OrderParams,
      response: { 200: schema.OrderBooks },
    },
    handler: async ({ params }) => orders.showOrderBooks(params.id),
  })
}
