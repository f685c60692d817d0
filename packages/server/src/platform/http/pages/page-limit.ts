import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createBudget } from '../limits.ts'
import { networkOf } from '../network.ts'
import { bodyBytesOf } from '../server/connections.ts'

/**
 * Tenths of a millisecond of CPU, with that of the database. `post` covers sign-ins and forms, which
 * read and write a session. Parsing and escaping large texts takes longer.
 */
const costs = { file: 2, page: 30, post: 50, request: 10, response: 10 }
const bytesPer = { request: 4_000, response: 20_000 }

/**
 * A network has a burst of six seconds of CPU, then 0.3 of a core: 430 first visits at once, of a page,
 * its session and 24 files each, then 21 a second.
 */
const work = {
  each: { atOnce: 60_000, perSecond: 3_000 },
  all: { atOnce: 180_000, perSecond: 8_000 },
}

/** Limits all pages, files and forms of a site per network. */
export function limitPages(app: FastifyInstance, site: string): void {
  const budget = createBudget(`pages of ${site}`, work)
  /** The cost that each request counted before its work. A refusal is cheap, so it does not count. */
  const counted = new WeakMap<FastifyRequest, number>()
  app.addHook('onRequest', async (request) => {
    const cost = leastCostOf(request)
    // The cost is taken before the work, so that concurrent requests cannot exceed the limit together.
    budget.spend(networkOf(request.ip), cost)
    counted.set(request, cost)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const cost = counted.get(request)
    if (cost !== undefined)
      budget.take(networkOf(request.ip), costOf(request, reply, payload) - cost)
  })
}

/** Routes of files that are sent as they are stored. */
const filePattern = /(^|\/)(assets|art\/:name|art\/sheets)/

function leastCostOf({ method, routeOptions }: FastifyRequest): number {
  if (method === 'POST') return costs.post
  return filePattern.test(routeOptions.url ?? '') ? costs.file : costs.page
}

function costOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): number {
  const { url: path = '' } = request.routeOptions
  const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
  if (!isPage && filePattern.test(path)) return costs.file
  const bodyBytes = Math.min(bodyBytesOf(request.raw), request.routeOptions.bodyLimit)
  const hasLength = typeof payload === 'string' || Buffer.isBuffer(payload)
  return (
    (request.method === 'POST' ? costs.post : costs.page) +
    (costs.request * (request.url.length + bodyBytes)) / bytesPer.request +
    (costs.response * (hasLength ? payload.length : 0)) / bytesPer.response
  )
}
