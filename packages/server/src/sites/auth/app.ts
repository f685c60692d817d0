import type { FastifyInstance } from 'fastify'
import { html, page } from '../../platform/http/html.ts'
import { servePages } from '../../platform/http/pages.ts'

export type AuthOptions = { guard: (app: FastifyInstance) => void; webUrl: string }

/** {auth_url}: where people prove who they are. */
export async function authSite(app: FastifyInstance, { guard, webUrl }: AuthOptions) {
  servePages(app, webUrl)
  guard(app)
  app.get('/', async (_request, reply) => {
    const body = html`<p>Here you prove who you are: to us, and to applications that let you log in
      with your emoji id. You get here through a link that we mail, or from such an application.</p>`
    return reply.type('text/html; charset=utf-8').send(page('Signing in', body))
  })
}
