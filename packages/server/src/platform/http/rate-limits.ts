import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { networkOf } from './network.ts'

/** Applies `config.rateLimit` of routes per network; other routes have no limit. */
export async function limitRates(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    keyGenerator: ({ ip }) => networkOf(ip),
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { ttl }) =>
      new ServiceError('limited', 'rate_limited', 'Too many requests. Wait before trying again.', {
        retry_after_seconds: Math.ceil(ttl / 1_000),
      }),
  })
}
