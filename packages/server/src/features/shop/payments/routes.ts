import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Payments } from './payments.ts'
import * as schema from './schema.ts'

type Options = { payments: Payments }

/** Providers sign the raw bytes, so the body is not parsed before the signature is verified. */
export const paymentRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { payments }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  app.route({
    method: 'POST',
    url: '/webhooks/:provider',
    bodyLimit: 256 * 1024,
    config: { access: 'public' },
    schema: {
      operationId: 'takePaymentEvent',
      tags: ['Payments'],
      summary: 'Receive an event of a payment provider',
      params: schema.WebhookParams,
      response: { 200: schema.Received },
    },
    handler: async ({ body, params, headers }) => {
      await payments.receiveEvent(params.provider, rawBody(body), headers)
      return { received: true }
    },
  })
}

const rawBody = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
