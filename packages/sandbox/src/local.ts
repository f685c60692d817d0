import type { FastifyInstance } from 'fastify'
import { BuyerError } from './buyer/errors.ts'

/**
 * A copy of the core's `isLoopback`: the sandbox imports nothing of ours, because it stands in for
 * independent providers.
 */
const localNames = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Buyers' pages and actions need no password, so other sites must not reach them: neither by DNS
 * rebinding nor by cross-site forms.
 */
export function keepLocal(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method, headers }) => {
    const host = headers.host ?? ''
    if (!localNames.test(host)) throw new BuyerError(403, 'Open this under a local host name.')
    if (method === 'GET') return
    const site = headers['sec-fetch-site']
    const isForeign = site
      ? site !== 'same-origin' && site !== 'none'
      : headers.origin !== undefined && headers.origin !== `http://${host}`
    if (isForeign)
      throw new BuyerError(403, 'This was sent from another site. Open the page itself.')
  })
}
