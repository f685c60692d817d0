import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'
import { html, page } from '../../platform/http/html.ts'
import { servePages } from '../../platform/http/pages.ts'

export type DevOptions = {
  guard: (app: FastifyInstance) => void
  webUrl: string
  addresses: readonly (readonly [string, string])[]
  example: string
}

const localNames = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** {web_url}/dev: only in the loopback demonstration, and only under a local name. */
export async function devSite(app: FastifyInstance, options: DevOptions): Promise<void> {
  servePages(app, options.webUrl)
  options.guard(app)
  // A foreign name that resolves to this machine must not let another site's page read this one.
  app.addHook('onRequest', async ({ headers }) => {
    if (!localNames.test(headers.host ?? '')) {
      throw new ServiceError('not_found', 'not_here', 'This page is served under local names only.')
    }
  })
  app.get('/', async (_request, reply) => {
    const rows = options.addresses.map(
      ([name, url]) =>
        html`<tr><th scope="row">${name}</th><td><a href="${url}">${url}</a></td></tr>`,
    )
    const body = html`<p>This is the demonstration on your own machine. Nothing here leaves it.</p>
      <table>${rows}</table>
      <h2>Try it</h2>
      <pre>${options.example}</pre>`
    return reply.type('text/html; charset=utf-8').send(page('Development', body))
  })
}
