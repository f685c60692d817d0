import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createBudget } from '../../../platform/http/limits.ts'
import { networkOf } from '../../../platform/http/network.ts'
import type { Payments } from './payments.ts'
import * as schema from './schema.ts'

/** In bytes: the least that a refused event counts. */
const costs = { least: 20_000 }

/** Only events that are refused count, so a provider is never limited. */
const forgedRates = { each: { atOnce: 10_000_000, perSecond: 200_000 } }

type Options = { payments: Payments }

/** Providers sign the raw bytes, so the body is not parsed before the signature is verified. */
export const paymentRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { payments }) => {
  const forged = createBudget(forgedRates)
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
      params: schema.WebhookParams,
      response: { 200: schema.Received },
    },
    // Before the body is read.
    onRequest: async ({ ip }) => forged.assertLeft(networkOf(ip)),
    handler: async ({ body, params, headers, ip }) => {
      const bytes = rawBody(body)
      await payments.receiveEvent(params.provider, bytes, headers).catch((error) => {
        forged.take(networkOf(ip), costs.least + bytes.length)
        throw error
      })
      return { received: true }
    },
  })
}

const rawBody = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
