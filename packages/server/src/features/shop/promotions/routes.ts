import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { networkOf } from '../../../platform/http/network.ts'
import { Pubkey } from '../../identity/accounts/accounts.ts'
import { callerOf } from '../../operations/access/index.ts'
import {
  DisplayOrder,
  FlowPartner,
  type Orders,
  orderCosts,
  TrackingData,
} from '../orders/orders.ts'
import type { Promotions } from './promotions.ts'

const PromoCode = Type.Object({ code: Type.String({ pattern: '\\S', maxLength: 255 }) })

const Hex = Type.String({ pattern: '^[0-9a-fA-F]{64}$' })
export const CodeActivation = Type.Object({
  nonce: Hex,
  pubkey: Pubkey,
  signature: Hex,
  tracking_data: Type.Optional(TrackingData),
  organization_id: Type.Optional(FlowPartner),
})
export type CodeActivation = Static<typeof CodeActivation>
const CodeParams = Type.Object({ code_id: Type.String({ format: 'uuid' }) })

type Options = { promotions: Promotions; orders: Orders }

export const promotionRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { promotions, orders },
) => {
  const cost = [orders.work, orderCosts.request] as const

  app.post('/cart/promo_code', {
    // The response contains payment secrets of the buyer.
    config: { access: 'cart:update', idempotent: 'secret', cost },
    schema: {
      operationId: 'applyPromoCode',
      tags: ['Cart'],
      summary: 'Apply a promo code to a cart in checkout',
      body: PromoCode,
      response: { 200: DisplayOrder },
    },
    handler: async (request) =>
      orders.chargeItems(
        promotions.applyCode(callerOf(request), request.body.code, networkOf(request.ip)),
      ),
  })

  app.delete('/cart/promo_code/:code_id', {
    config: { access: 'cart:update', cost },
    schema: {
      operationId: 'removePromoCode',
      tags: ['Cart'],
      summary: 'Remove a promo code from a cart in checkout',
      params: CodeParams,
      response: { 200: DisplayOrder },
    },
    handler: async (request) =>
      orders.chargeItems(promotions.removeCode(callerOf(request), request.params.code_id)),
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
      response: { 200: DisplayOrder },
    },
    handler: async (request) =>
      promotions.useRandomCode(
        callerOf(request),
        request.params.code_id,
        request.body,
        networkOf(request.ip),
      ),
  })
}
