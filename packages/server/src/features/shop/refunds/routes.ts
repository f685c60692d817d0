import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import { RefundPage, RefundQuery, RefundView } from '../ledger/index.ts'
import { DisplayOrder, OrderParams } from '../orders/index.ts'
import type { Refunds } from './refunds.ts'
import {
  Decline,
  Given,
  MiscRefund,
  Override,
  Refund,
  RefundList,
  RefundParams,
  RefundRequest,
} from './schema.ts'

type Options = { refunds: Refunds }

export const refundRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { refunds }) => {
  const tags = ['Operators']
  const response = { 200: DisplayOrder }

  app.route({
    method: 'GET',
    url: '/orders/:id/refunds',
    config: { access: ['order:readSelf', 'refund:read'] },
    schema: {
      operationId: 'listRefunds',
      tags: ['Orders'],
      summary: 'What was given back for an order, and where to claim it',
      params: OrderParams,
      response: { 200: RefundList },
    },
    handler: async (request) => refunds.listRefunds(callerOf(request), request.params.id),
  })

  app.route({
    method: 'GET',
    url: '/refunds',
    config: { access: 'refund:read' },
    schema: {
      operationId: 'findRefunds',
      tags,
      summary: 'Money on its way back, of all orders',
      querystring: RefundQuery,
      response: { 200: RefundPage },
    },
    handler: async (request) => refunds.listAllRefunds(request.query),
  })

  app.route({
    method: 'POST',
    url: '/refunds/:id/given',
    config: { access: 'order:refund', sensitive: true, idempotent: true },
    schema: {
      operationId: 'noteRefundGiven',
      tags,
      summary: 'A person gave the money back',
      params: RefundParams,
      body: Given,
      response: { 200: RefundView },
    },
    handler: async (request) =>
      refunds.recordPayout(callerOf(request), request.params.id, request.body.reference),
  })

  app.route({
    method: 'POST',
    url: '/orders/:id/refund_request',
    config: { access: 'order:readSelf', idempotent: true },
    schema: {
      operationId: 'requestRefund',
      tags: ['Orders'],
      summary: 'Ask for the money back',
      params: OrderParams,
      body: RefundRequest,
      response,
    },
    handler: async (request) =>
      refunds.requestRefund(callerOf(request), request.params.id, request.body.reason),
  })

  app.route({
    method: 'POST',
    url: '/orders/:id/refund_request/decline',
    config: { access: 'order:refund', sensitive: true, idempotent: true },
    schema: {
      operationId: 'declineRefund',
      tags,
      summary: 'Decline to give the money back',
      description: 'The buyer is mailed the reason and reads it at the order; they may ask again.',
      params: OrderParams,
      body: Decline,
      response,
    },
    handler: async (request) =>
      refunds.declineRequest(callerOf(request), request.params.id, request.body.reason),
  })

  app.route({
    method: 'POST',
    url: '/orders/:id/refund',
    config: {
      access: 'order:refund',
      more_scopes: ['order:refundOverride'],
      sensitive: true,
      idempotent: true,
    },
    schema: {
      operationId: 'refundOrder',
      tags,
      summary: 'Take ids back and give the money back',
      params: OrderParams,
      body: Refund,
      response,
    },
    handler: async (request) =>
      refunds.refundOrder(callerOf(request), request.params.id, request.body),
  })

  app.route({
    method: 'POST',
    url: '/orders/:id/misc_refund',
    config: { access: 'order:refund', sensitive: true, idempotent: true },
    schema: {
      operationId: 'miscRefund',
      tags,
      summary: 'Give some money back; the ids stay',
      params: OrderParams,
      body: MiscRefund,
      response,
    },
    handler: async (request) =>
      refunds.refundMisc(callerOf(request), request.params.id, request.body),
  })

  app.route({
    method: 'POST',
    url: '/orders/:id/payment_override',
    config: { access: 'order:paymentOverride', sensitive: true, idempotent: true },
    schema: {
      operationId: 'overridePayment',
      tags,
      summary: 'Take an order as paid',
      params: OrderParams,
      body: Override,
      response,
    },
    handler: async (request) =>
      refunds.overridePayment(callerOf(request), request.params.id, request.body.reason),
  })
}
