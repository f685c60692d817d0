import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import type { SavedCards } from './saved-cards.ts'
import * as schema from './schema.ts'

type Options = { savedCards: SavedCards }

export const savedCardRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { savedCards }) => {
  const tags = ['Payments']

  app.route({
    method: 'GET',
    url: '/payment_methods',
    config: { access: 'paymentMethod:read' },
    schema: {
      operationId: 'listPaymentMethods',
      tags,
      summary: 'List saved cards',
      response: { 200: schema.PaymentMethodList },
    },
    handler: async (request) => savedCards.listCards(callerOf(request)),
  })

  app.route({
    method: 'DELETE',
    url: '/payment_methods/:id',
    config: { access: 'paymentMethod:destroy', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'deletePaymentMethod',
      tags,
      summary: 'Delete a saved card',
      params: schema.PaymentMethodParams,
      response: { 200: schema.OnePaymentMethod },
    },
    handler: async (request) => savedCards.forgetCard(callerOf(request), request.params.id),
  })

  app.route({
    method: 'POST',
    url: '/payment_methods/:id/default',
    config: { access: 'paymentMethod:setDefault' },
    schema: {
      operationId: 'setDefaultPaymentMethod',
      tags,
      summary: 'Make a card the default',
      params: schema.PaymentMethodParams,
      response: { 200: schema.OnePaymentMethod },
    },
    handler: async (request) => savedCards.setDefaultCard(callerOf(request), request.params.id),
  })
}
