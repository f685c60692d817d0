import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { ServiceError } from '../errors.ts'
import { isIPv4, networkOf, networksOfOne, ownShare, wideNetworkOf } from './network.ts'

type CreateCounter = FastifyInstance['createRateLimit']
type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Applies `config.rateLimit` of routes per network and per wide network; other routes have no limit. */
export async function limitRates(app: FastifyInstance): Promise<void> {
  const createCounter = await loadCounters(app)
  const checkOf = new Map<string, Check>()
  app.addHook('onRoute', (route) => {
    const limit = route.config?.rateLimit
    if (!limit) return
    const counted = nameOf(route)
    const check = checkOf.get(counted) ?? createCheck(createCounter, limit)
    checkOf.set(counted, check)
    route.onRequest = [...[route.onRequest ?? []].flat(), check]
  })
}

/** GET and HEAD of a path share their counters: they cost the same. */
const nameOf = ({ method, url }: RouteOptions): string =>
  `${method === 'HEAD' ? 'GET' : method} ${url}`

/** The hook of the plugin counts GET and HEAD separately, so the plugin does not see our routes. */
async function loadCounters(app: FastifyInstance): Promise<CreateCounter> {
  let createCounter: CreateCounter | undefined
  await app.register(async (counters) => {
    await counters.register(rateLimit, { global: false })
    createCounter = counters.createRateLimit
  })
  if (!createCounter) throw new Error('The counters of requests are not loaded')
  return createCounter
}

function createCheck(createCounter: CreateCounter, limit: RateLimitOptions): Check {
  const byNetwork = ({ ip }: FastifyRequest) => networkOf(ip)
  const count = createCounter({ keyGenerator: byNetwork, ...limit })
  const { max } = limit
  const countWide =
    limit.keyGenerator || typeof max !== 'number'
      ? undefined
      : createCounter({
          ...limit,
          max: networksOfOne * max,
          keyGenerator: (request) => wideNetworkOf(byNetwork(request)),
        })
  return async (request, reply) => {
    const counted = await count(request)
    if (counted.isAllowed) return
    report(reply, counted)
    if (counted.isExceeded) throw tooManyRequests(counted.ttl)
    const wide = await countWide?.(request)
    const isInShare = counted.max - counted.remaining <= ownShare * counted.max
    if (!wide || wide.isAllowed || !wide.isExceeded) return
    // Strangers share a /16.
    if (isIPv4(byNetwork(request)) && isInShare) return
    report(reply, wide)
    throw tooManyRequests(wide.ttl)
  }
}

type Count = Exclude<Awaited<ReturnType<ReturnType<CreateCounter>>>, { isAllowed: true }>

/** A refusal reports the limit that it exceeds, any other response that of the network. */
const report = (reply: FastifyReply, { max, remaining, ttlInSeconds }: Count) =>
  reply.headers({
    'ratelimit-limit': max,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': ttlInSeconds,
  })

const tooManyRequests = (ttl: number) =>
  new ServiceError('limited', 'rate_limited', 'Too many requests. Wait before trying again.', {
    retry_after_seconds: Math.ceil(ttl / 1_000),
  })
