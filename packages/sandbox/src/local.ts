import type { FastifyInstance } from 'fastify'
import { BuyerError } from './buyer/errors.ts'

/**
 * A copy of the core's `isLoopback`: the sandbox imports nothing of ours, because it stands in for
 * independent providers.
 */
const localNames = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** Headers that proxies add, as at the development pages. */
const proxyHeader =
  /^(forwarded|via|x-forwarded.*|x-original-.*|x-proxy.*|x-real-ip|x-client-ip|x-cluster-client-ip|(true|cf|fastly)-(client|connecting)-ip)$/

/**
 * Buyers' pages and actions need no password, so only this machine may reach them: neither DNS
 * rebinding, nor cross-site forms, nor a proxy that opens the port to the network.
 */
export function keepLocal(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method, headers, raw }) => {
    const host = headers.host ?? ''
    if (!localNames.test(host)) throw new BuyerError(403, 'Open this under a local host name.')
    const isProxied =
      raw.httpVersion === '1.0' || Object.keys(headers).some((name) => proxyHeader.test(name))
    if (isProxied) throw new BuyerError(403, 'Open this on this machine, without a proxy.')
    if (method === 'GET') return
    const site = headers['sec-fetch-site']
    const isForeign = site
      ? site !== 'same-origin' && site !== 'none'
      : headers.origin !== undefined && headers.origin !== `http://${host}`
    if (isForeign)
      throw new BuyerError(403, 'This was sent from another site. Open the page itself.')
  })
}
