import type { FastifyInstance } from 'fastify'
import { createAllowance } from './allowance.ts'
import { networkOf } from './network.ts'

/** In tenths of a millisecond of CPU. */
const costs = { page: 10, file: 2 }

/**
 * A network has a burst of four seconds of CPU, then 0.3 of a core: 690 first visits at once, of a page
 * and 24 files each, then 52 a second.
 */
const work = {
  each: { atOnce: 40_000, perSecond: 3_000 },
  all: { atOnce: 120_000, perSecond: 8_000 },
}

/** Limits all pages and files of a site per network. Refusals are cheap and do not count. */
export function limitPages(app: FastifyInstance): void {
  const limit = createAllowance(work)
  app.addHook('onRequest', async ({ ip }) => limit.assertLeft(networkOf(ip)))
  app.addHook('onSend', async ({ ip }, reply) => {
    if (reply.statusCode === 429) return
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
    limit.take(networkOf(ip), isPage ? costs.page : costs.file)
  })
}
