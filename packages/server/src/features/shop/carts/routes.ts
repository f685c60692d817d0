import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { networkOf } from '../../../platform/http/network.ts'
import { callerOf } from '../../operations/access/index.ts'
import { DisplayOrder } from '../orders/index.ts'
import type { Carts } from './carts.ts'
import { costs } from './limits.ts'
import { ItemParams, NewItems } from './schema.ts'

type Options = { carts: Carts }

export const cartRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { carts }) => {
  const tags = ['Cart']
  const response = { 200: DisplayOrder }

  app.route({
    method: 'GET',
    url: '/cart',
    config: { access: 'cart:show', rateLimit: { max: 3_000, timeWindow: 60_000 } },
    schema: { operationId: 'getCart', tags, summary: 'Show the current cart', response },
    handler: async (request) => carts.showCart(callerOf(request)),
  })

  app.route({
    method: 'POST',
    url: '/cart',
    bodyLimit: 64 * 1024,
    config: { access: 'cart:update', idempotent: true, limited: true },
    onRequest: async ({ ip }) => carts.limits.work.spend(networkOf(ip), costs.request),
    schema: {
      operationId: 'addCartItems',
      tags,
      summary: 'Add ids to the cart',
      body: NewItems,
      response,
    },
    handler: async (request) => {
      const { items } = request.body
      // Counts even if the request is rejected later.
      carts.limits.work.take(networkOf(request.ip), items.length * costs.addedItem)
      return carts.addItems(callerOf(request), request.body)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/cart',
    config: { access: 'cart:update' },
    schema: { operationId: 'clearCart', tags, summary: 'Empty the cart', response },
    handler: async (request) => carts.clearCart(callerOf(request)),
  })

  app.route({
    method: 'DELETE',
    url: '/cart/cart_items/:cart_item_id',
    config: { access: 'cart:update' },
    schema: {
      operationId: 'removeCartItem',
      tags,
      summary: 'Remove an id from the cart',
      params: ItemParams,
      response,
    },
    handler: async (request) => carts.removeItem(callerOf(request), request.params.cart_item_id),
  })

  app.route({
    method: 'POST',
    url: '/cart/convert_to_draft',
    config: { access: 'cart:update', idempotent: true },
    schema: {
      operationId: 'convertCartToDraft',
      tags,
      summary: 'Abandon a checkout and keep the cart',
      response,
    },
    handler: async (request) => carts.convertToDraft(callerOf(request)),
  })
}
