import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { networkOf } from '../../../platform/http/network.ts'
import { groupRoutes } from '../../../platform/http/schemas.ts'
import { EmojiIdText } from '../../directory/emoji-ids/emoji-ids.ts'
import { callerOf } from '../../operations/access/index.ts'
import {
  DisplayOrder,
  FlowPartner,
  type Orders,
  orderCosts,
  TrackingData,
} from '../orders/orders.ts'
import type { Carts } from './carts.ts'

export const NewItems = Type.Object({
  items: Type.Array(
    Type.Object({
      emoji_id: Type.Optional(EmojiIdText),
      lootbox_id: Type.Optional(
        Type.String({ format: 'uuid', description: 'Instead of emoji_id, if boxes are sold' }),
      ),
    }),
    { minItems: 1, maxItems: 100 },
  ),
  tracking_data: Type.Optional(TrackingData),
  organization_id: Type.Optional(FlowPartner),
})
export type NewItems = Static<typeof NewItems>
const ItemParams = Type.Object({ cart_item_id: Type.String({ format: 'uuid' }) })

type Options = { carts: Carts; orders: Orders }

export const cartRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { carts, orders }) => {
  groupRoutes(app, 'Cart')
  const response = { 200: DisplayOrder }
  const cost = [orders.work, orderCosts.request] as const

  app.get('/cart', {
    config: { access: 'cart:show', cost },
    schema: { operationId: 'getCart', summary: 'Show the current cart', response },
    handler: async (request) => orders.chargeItems(carts.showCart(callerOf(request))),
  })

  app.post('/cart', {
    bodyLimit: 64 * 1024,
    config: { access: 'cart:update', idempotent: true, cost },
    schema: {
      operationId: 'addCartItems',
      summary: 'Add ids to the cart',
      body: NewItems,
      response,
    },
    handler: async (request) => {
      const { items } = request.body
      // Counts even if the request is rejected later.
      orders.work.take(networkOf(request.ip), items.length * orderCosts.addedItem)
      return orders.chargeItems(carts.addItems(callerOf(request), request.body))
    },
  })

  app.delete('/cart', {
    config: { access: 'cart:update', cost },
    schema: { operationId: 'clearCart', summary: 'Empty the cart', response },
    handler: async (request) => orders.chargeItems(carts.clearCart(callerOf(request))),
  })

  app.delete('/cart/cart_items/:cart_item_id', {
    config: { access: 'cart:update', cost },
    schema: {
      operationId: 'removeCartItem',
      summary: 'Remove an id from the cart',
      params: ItemParams,
      response,
    },
    handler: async (request) =>
      orders.chargeItems(carts.removeItem(callerOf(request), request.params.cart_item_id)),
  })

  app.post('/cart/convert_to_draft', {
    config: { access: 'cart:update', idempotent: true, cost },
    schema: {
      operationId: 'convertCartToDraft',
      summary: 'Abandon a checkout and keep the cart',
      response,
    },
    handler: async (request) => orders.chargeItems(carts.convertToDraft(callerOf(request))),
  })
}
