import { textLengths } from '@emojid/core'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { groupRoutes, Hex32, OneOf, ReasonText } from '../../../platform/http/api/schemas.ts'
import { createBudget } from '../../../platform/http/limits.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { EmojiIdText } from '../../directory/emoji-ids/emoji-ids.ts'
import { callerOf } from '../../operations/access/access.ts'
import {
  DisplayOrder,
  FlowPartner,
  OrderParams,
  type Orders,
  orderCosts,
  TrackingData,
} from '../orders/orders.ts'
import type { Purchases } from './purchases.ts'

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

const methods = ['Free', 'CryptoCommerce', 'CardCheckout', 'Cash', 'WalletPay'] as const

const Url = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 2_000, description }), Type.Null()]))

export const CheckoutRequest = Type.Object({
  method: OneOf(methods),
  amount: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'US cents; Cash only' }),
  ),
  external_reference: Type.Optional(
    Type.String({
      pattern: '\\S',
      ...textLengths.cashReference,
      description: 'Reference of the payment; Cash only',
    }),
  ),
  reason: Type.Optional(
    Type.Unsafe<string>({
      ...ReasonText,
      description: 'Reason for the books and the audit log; default: external_reference. Cash only',
    }),
  ),
  payment_method_id: Type.Optional(
    Type.String({
      pattern: '\\S',
      maxLength: 255,
      description:
        'A saved card of GET /payment_methods, charged immediately; CardCheckout only. If the bank requires authentication, checkout_url leads there',
    }),
  ),
  cancel_url: Url('With success_url: the provider’s page returns here'),
  success_url: Url('With cancel_url: the provider’s page continues here after the payment'),
  pubkey: Type.Optional(
    Type.Unsafe<string | null>({
      ...Type.Union([Hex32, Type.Null()]),
      description:
        'The buyer’s key that will own the ids: stored here, or proven (POST /pubkeys/{pubkey}/prove), else 422 unproven_key. Default: the first key of the buyer',
    }),
  ),
  tracking_data: Type.Optional(TrackingData),
})
export type CheckoutRequest = Static<typeof CheckoutRequest>

const PromoCode = Type.Object({ code: Type.String({ pattern: '\\S', maxLength: 255 }) })

export const CodeActivation = Type.Object({
  nonce: Hex32,
  pubkey: Hex32,
  signature: Hex32,
  tracking_data: Type.Optional(TrackingData),
  organization_id: Type.Optional(FlowPartner),
})
export type CodeActivation = Static<typeof CodeActivation>
const CodeParams = Type.Object({ code_id: Type.String({ format: 'uuid' }) })

const WebhookParams = Type.Object({ provider: OneOf(['card', 'crypto']) })
const Received = Type.Object({ received: Type.Boolean() })

/** In bytes: the least that a refused event counts. */
const costs = { least: 20_000 }

/** Only events that are refused count, so a provider is never limited. */
const forgedRates = { each: { atOnce: 10_000_000, perSecond: 200_000 } }

type Options = { purchases: Purchases; orders: Orders }

/** Carts, their checkout, and promo codes on them. */
export const cartRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { purchases, orders },
) => {
  groupRoutes(app, 'Cart')
  const response = { 200: DisplayOrder }
  const cost = [orders.work, orderCosts.request] as const

  app.get('/cart', {
    config: { access: 'cart:show', cost },
    schema: { operationId: 'getCart', summary: 'Show the current cart', response },
    handler: async (request) => orders.chargeItems(purchases.showCart(callerOf(request))),
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
      return orders.chargeItems(purchases.addItems(callerOf(request), request.body))
    },
  })

  app.delete('/cart', {
    config: { access: 'cart:update', cost },
    schema: { operationId: 'clearCart', summary: 'Empty the cart', response },
    handler: async (request) => orders.chargeItems(purchases.clearCart(callerOf(request))),
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
      orders.chargeItems(purchases.removeItem(callerOf(request), request.params.cart_item_id)),
  })

  app.post('/cart/convert_to_draft', {
    config: { access: 'cart:update', idempotent: true, cost },
    schema: {
      operationId: 'convertCartToDraft',
      summary: 'Abandon a checkout and keep the cart',
      response,
    },
    handler: async (request) => orders.chargeItems(purchases.convertToDraft(callerOf(request))),
  })

  // Responses contain payment secrets of the buyer.
  const config = {
    access: 'cart:update',
    more_scopes: ['adminCart:update'],
    idempotent: 'secret',
    cost,
  } as const

  app.post('/cart/checkout', {
    config,
    schema: {
      operationId: 'checkout',
      summary: 'Check out the current cart',
      body: CheckoutRequest,
      response,
    },
    handler: async (request) => purchases.checkOut(callerOf(request), undefined, request.body),
  })

  app.post('/cart/checkout/:id', {
    config,
    schema: {
      operationId: 'checkoutOrder',
      summary: 'Check out a saved cart',
      params: OrderParams,
      body: CheckoutRequest,
      response,
    },
    handler: async (request) =>
      purchases.checkOut(callerOf(request), request.params.id, request.body),
  })

  app.post('/cart/promo_code', {
    // The response contains payment secrets of the buyer.
    config: { access: 'cart:update', idempotent: 'secret', cost },
    schema: {
      operationId: 'applyPromoCode',
      summary: 'Apply a promo code to a cart in checkout',
      body: PromoCode,
      response,
    },
    handler: async (request) =>
      orders.chargeItems(
        purchases.applyCode(callerOf(request), request.body.code, networkOf(request.ip)),
      ),
  })

  app.delete('/cart/promo_code/:code_id', {
    config: { access: 'cart:update', cost },
    schema: {
      operationId: 'removePromoCode',
      summary: 'Remove a promo code from a cart in checkout',
      params: CodeParams,
      response,
    },
    handler: async (request) =>
      orders.chargeItems(purchases.removeCode(callerOf(request), request.params.code_id)),
  })

  app.post('/codes/:code_id/random_yat', {
    config: { access: 'cart:update', idempotent: true, cost },
    schema: {
      operationId: 'activateRandomCode',
      tags: ['Codes'],
      summary: 'Create a cart with a random id that a code pays for',
      description:
        'Schnorr over Ristretto255 by a key of the code, with e = BLAKE2b-256(domain ‖ R ‖ P ‖ message), domain "emojid/code-activation/v2", message "The account {user_id} may use the code {code_id}." For an account with an alternate id, the domain "emojid/code-activation/v1" over the alternate id is accepted too.',
      params: CodeParams,
      body: CodeActivation,
      response,
    },
    handler: async (request) =>
      purchases.useRandomCode(
        callerOf(request),
        request.params.code_id,
        request.body,
        networkOf(request.ip),
      ),
  })
}

/** Providers sign the raw bytes, so the body is not parsed before the signature is verified. */
export const paymentRoutes: FastifyPluginAsyncTypebox<Pick<Options, 'purchases'>> = async (
  app,
  { purchases },
) => {
  const forged = createBudget('forged payments', forgedRates)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  app.post('/webhooks/:provider', {
    bodyLimit: 256 * 1024,
    config: { access: 'public' },
    schema: {
      operationId: 'takePaymentEvent',
      tags: ['Payments'],
      summary: 'Receive an event of a payment provider',
      params: WebhookParams,
      response: { 200: Received },
    },
    // Before the body is read.
    onRequest: async ({ ip }) => forged.assertLeft(networkOf(ip)),
    handler: async ({ body, params, headers, ip }) => {
      const bytes = rawBody(body)
      await purchases.receiveEvent(params.provider, bytes, headers).catch((error) => {
        forged.take(networkOf(ip), costs.least + bytes.length)
        throw error
      })
      return { received: true }
    },
  })
}

const rawBody = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
