import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { methodsAt } from '../methods.ts'
import { invoiceRoutes } from './invoice-routes.ts'
import { methodIds } from './objects.ts'
import { ProblemError, refusalError } from './problems.ts'
import type { CryptoDesk } from './provider.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** BTCPay's Greenfield API under /api/v1, as far as a shop needs it. */
export async function cryptoRoutes(
  app: FastifyInstance,
  { provider }: { provider: CryptoDesk },
): Promise<void> {
  const { apiKey, storeId } = provider.options
  const expected = Buffer.from(`token ${apiKey}`)
  app.addHook('onRequest', async ({ headers, params }) => {
    const credentials = Buffer.from(headers.authorization ?? '')
    if (credentials.length !== expected.length || !timingSafeEqual(credentials, expected)) {
      throw refusalError(
        401,
        'unauthenticated',
        'Authentication is required for accessing this endpoint',
      )
    }
    const { storeId: named } = params as { storeId?: string }
    if (named !== undefined && named !== storeId) {
      throw refusalError(403, 'missing-permission', 'The key has no permission for this store')
    }
  })
  app.setNotFoundHandler(({ url }, reply) => {
    const methods = methodsAt(app, url)
    if (methods.length === 0) throw refusalError(404, 'not-found', 'There is no such operation')
    reply.header('allow', methods.join(', '))
    throw refusalError(405, 'method-not-allowed', 'There is no such operation at this path')
  })
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ProblemError) return reply.code(error.status).send(error.body)
    const { statusCode, message } = error as { statusCode?: number; message: string }
    if (statusCode && statusCode < 500) {
      return reply.code(statusCode).send([{ path: '', message }])
    }
    return reply.code(500).send({ code: 'sandbox-failed', message: 'The sandbox failed.' })
  })
  app.get('/server/info', async () => ({
    version: provider.version,
    onion: null,
    supportedPaymentMethods: methodIds,
    fullySynched: true,
    syncStatus: [],
  }))
  invoiceRoutes(app, provider)
  webhookRoutes(app, provider)
}
