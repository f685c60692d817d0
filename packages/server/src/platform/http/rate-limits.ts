import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { networkOf, networksOfOne, wideNetworkOf } from './network.ts'

/** Applies `config.rateLimit` of routes per network and per wide network; other routes have no limit. */
export async function limitRates(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    keyGenerator: ({ ip }) => networkOf(ip),
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { ttl }) => tooManyRequests(ttl),
  })
  // Runs for routes registered after this plugin, as the hook of the plugin does.
  app.addHook('onRoute', (route) => {
    const limit = route.config?.rateLimit
    if (!limit || limit.keyGenerator || typeof limit.max !== 'number') return
    const countWide = app.createRateLimit({
      ...limit,
      max: networksOfOne * limit.max,
      keyGenerator: ({ ip }) => wideNetworkOf(networkOf(ip)),
    })
    const hooks = [route.onRequest ?? []].flat()
    route.onRequest = [
      ...hooks,
      async (request) => {
        const count = await countWide(request)
        if (!count.isAllowed && count.isExceeded) throw tooManyRequests(count.ttl)
      },
    ]
  })
}

const tooManyRequests = (ttl: number) =>
  new ServiceError('limited', 'rate_limited', 'Too many requests. Wait before trying again.', {
    retry_after_seconds: Math.ceil(ttl / 1_000),
  })
