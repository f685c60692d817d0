import type { FastifyInstance } from 'fastify'
import { html, page } from '../../platform/http/html.ts'
import { servePages } from '../../platform/http/pages.ts'

export type WebOptions = {
  guard: (app: FastifyInstance) => void
  webUrl: string
  baseUrl: string
  loopback: boolean
}

/** {web_url}: what people see. */
export async function webSite(app: FastifyInstance, options: WebOptions) {
  const { guard, webUrl, baseUrl, loopback } = options
  servePages(app, webUrl)
  guard(app)
  app.get('/', async (_request, reply) => {
    const dev = html`<li><a href="${webUrl}/dev">Development page</a></li>`
    const body = html`<p>An emoji id stands for crypto addresses, links, names and keys:
      look it up instead of copying an address.</p>
      <ul>
      <li><a href="${baseUrl}/docs/">API, to read and to try</a></li>
      <li><a href="${baseUrl}/emoji">The emojis that ids are made of</a></li>
      ${loopback ? dev : ''}
      </ul>`
    return reply.type('text/html; charset=utf-8').send(page('Emoji Id Directory', body))
  })
}
