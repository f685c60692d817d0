import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../access/index.ts'
import * as schema from './schema.ts'
import type { Payments } from './service.ts'

type Options = { payments: Payments }

export const paymentRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { payments }) => {
  const tags = ['Payments']

  app.route({
    method: 'GET',
    url: '/payment_methods',
    config: { access: 'paymentMethod:read' },
    schema: {
      ...{ operationId: 'listPaymentMethods', tags, summary: 'Cards kept for the next purchase' },
      response: { 200: schema.PaymentMethodList },
    },
    handler: async (request) => payments.savedMethods(callerOf(request)),
  })

  app.route({
    method: 'DELETE',
    url: '/payment_methods/:id',
    config: { access: 'paymentMethod:destroy', sensitive: true },
    schema: {
      ...{ operationId: 'deletePaymentMethod', tags, summary: 'Forget a card' },
      ...{ params: schema.PaymentMethodParams, response: { 200: schema.OnePaymentMethod } },
    },
    handler: async (request) => payments.forgetMethod(callerOf(request), request.params.id),
  })

  app.register(webhookRoutes, { payments })
}

/** Providers sign the bytes they send, so nothing reads them before the signature is checked. */
const webhookRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { payments }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  app.route({
    method: 'POST',
    url: '/webhooks/:provider',
    config: { access: 'public' },
    schema: {
      ...{ operationId: 'takePaymentEvent', tags: ['Payments'] },
      summary: 'For payment providers: something happened',
      ...{ params: schema.WebhookParams, response: { 200: schema.Received } },
    },
    handler: async ({ body, params, headers }) => {
      await payments.takeEvent(params.provider, rawBody(body), headers)
      return { received: true }
    },
  })
}

const rawBody = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
