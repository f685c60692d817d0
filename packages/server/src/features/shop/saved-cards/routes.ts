import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { groupRoutes, Nullable } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { SavedCards } from './saved-cards.ts'

const PaymentMethod = Type.Object({
  id: Type.String(),
  payment_type: Type.String(),
  brand: Nullable(Type.String()),
  country: Nullable(Type.String()),
  last4: Nullable(Type.String()),
  exp_month: Nullable(Type.Integer()),
  exp_year: Nullable(Type.Integer()),
  is_default: Type.Optional(
    Type.Boolean({
      description:
        'The card that the owner chose, or the only one; at most one card is the default',
    }),
  ),
})
const PaymentMethodList = Type.Array(PaymentMethod)
const OnePaymentMethod = PaymentMethod
const PaymentMethodParams = Type.Object({ id: Type.String({ maxLength: 255 }) })

type Options = { savedCards: SavedCards }

export const savedCardRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { savedCards }) => {
  groupRoutes(app, 'Payments')

  app.get('/payment_methods', {
    config: { access: 'paymentMethod:read' },
    schema: {
      operationId: 'listPaymentMethods',
      summary: 'List saved cards',
      response: { 200: PaymentMethodList },
    },
    handler: async (request) => savedCards.listCards(callerOf(request)),
  })

  app.delete('/payment_methods/:id', {
    config: { access: 'paymentMethod:destroy', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'deletePaymentMethod',
      summary: 'Delete a saved card',
      params: PaymentMethodParams,
      response: { 200: OnePaymentMethod },
    },
    handler: async (request) => savedCards.forgetCard(callerOf(request), request.params.id),
  })

  app.post('/payment_methods/:id/default', {
    config: { access: 'paymentMethod:setDefault' },
    schema: {
      operationId: 'setDefaultPaymentMethod',
      summary: 'Make a card the default',
      params: PaymentMethodParams,
      response: { 200: OnePaymentMethod },
    },
    handler: async (request) => savedCards.setDefaultCard(callerOf(request), request.params.id),
  })
}
