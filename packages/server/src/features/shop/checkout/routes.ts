import { textLengths } from '@emojid/core'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { groupRoutes, OneOf, ReasonText } from '../../../platform/http/schemas.ts'
import { Pubkey } from '../../identity/accounts/accounts.ts'
import { callerOf } from '../../operations/access/index.ts'
import {
  DisplayOrder,
  OrderParams,
  type Orders,
  orderCosts,
  TrackingData,
} from '../orders/orders.ts'
import type { Checkout } from './checkout.ts'

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
      ...Type.Union([Pubkey, Type.Null()]),
      description:
        'The buyer’s key that will own the ids: stored here, or proven (POST /pubkeys/{pubkey}/prove), else 422 unproven_key. Default: the first key of the buyer',
    }),
  ),
  tracking_data: Type.Optional(TrackingData),
})
export type CheckoutRequest = Static<typeof CheckoutRequest>

type Options = { checkout: Checkout; orders: Orders }

export const checkoutRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { checkout, orders },
) => {
  groupRoutes(app, 'Cart')
  const response = { 200: DisplayOrder }
  // Responses contain payment secrets of the buyer.
  const config = {
    access: 'cart:update',
    more_scopes: ['adminCart:update'],
    idempotent: 'secret',
    cost: [orders.work, orderCosts.request],
  } as const
  app.post('/cart/checkout', {
    config,
    schema: {
      operationId: 'checkout',
      summary: 'Check out the current cart',
      body: CheckoutRequest,
      response,
    },
    handler: async (request) => checkout.checkOut(callerOf(request), undefined, request.body),
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
      checkout.checkOut(callerOf(request), request.params.id, request.body),
  })
}
