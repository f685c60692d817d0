import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../../../platform/http/network.ts'
import { callerOf } from '../../operations/access/index.ts'
import { DisplayOrder, OrderParams, type Orders, orderCosts } from '../orders/orders.ts'
import type { Checkout } from './checkout.ts'
import { CheckoutRequest } from './schema.ts'

type Options = { checkout: Checkout; orders: Orders }

export const checkoutRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { checkout, orders },
) => {
  const tags = ['Cart']
  const response = { 200: DisplayOrder }
  // Responses contain payment secrets of the buyer.
  const config = {
    access: 'cart:update',
    more_scopes: ['adminCart:update'],
    idempotent: 'secret',
    limited: true,
  } as const
  const onRequest = async ({ ip }: FastifyRequest) =>
    orders.limits.work.spend(networkOf(ip), orderCosts.request)

  app.route({
    method: 'POST',
    url: '/cart/checkout',
    config,
    onRequest,
    schema: {
      operationId: 'checkout',
      tags,
      summary: 'Check out the current cart',
      body: CheckoutRequest,
      response,
    },
    handler: async (request) => checkout.checkOut(callerOf(request), undefined, request.body),
  })

  app.route({
    method: 'POST',
    url: '/cart/checkout/:id',
    config,
    onRequest,
    schema: {
      operationId: 'checkoutOrder',
      tags,
      summary: 'Check out a saved cart',
      params: OrderParams,
      body: CheckoutRequest,
      response,
    },
    handler: async (request) =>
      checkout.checkOut(callerOf(request), request.params.id, request.body),
  })
}
