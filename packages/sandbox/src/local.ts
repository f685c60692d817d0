import type { FastifyInstance } from 'fastify'
import { BuyerError } from './buyer/errors.ts'

/**
 * The rule of the core's `isLoopback`, said here once more: the sandbox imports nothing of ours, because
 * it stands in for providers that know nothing of us.
 */
const localNames = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Buyers' pages and actions need no password, so other sites must not reach them: neither under a
 * name of theirs that leads to this machine, nor by a form of theirs that is sent here.
 */
export function keepLocal(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method, headers }) => {
    const host = headers.host ?? ''
    if (!localNames.test(host)) throw new BuyerError(403, 'Open this under a local name.')
    if (method === 'GET') return
    const site = headers['sec-fetch-site']
    const isForeign = site
      ? site !== 'same-origin' && site !== 'none'
      : headers.origin !== undefined && headers.origin !== `http://${host}`
    if (isForeign)
      throw new BuyerError(403, 'This was sent from another site. Open the page itself.')
  })
}
