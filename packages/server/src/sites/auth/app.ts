import type { FastifyInstance } from 'fastify'
import type { Edits } from '../../features/edits/index.ts'
import type { Interests } from '../../features/interests/index.ts'
import type { Mailbox } from '../../features/mailbox/index.ts'
import { html, page } from '../../platform/http/html.ts'
import { servePages } from '../../platform/http/pages.ts'
import { readForms } from './forms.ts'
import { serveLinkPages } from './link-pages.ts'

export type AuthOptions = {
  guard: (app: FastifyInstance) => void
  webUrl: string
  authUrl: string
  mailbox: Mailbox
  edits: Edits
  interests: Interests
  jwks: object
}

/** {auth_url}: where people prove who they are. */
export async function authSite(app: FastifyInstance, options: AuthOptions) {
  const { guard, webUrl, authUrl, mailbox, edits, interests, jwks } = options
  servePages(app, webUrl, [new URL(webUrl).origin])
  guard(app)
  readForms(app, new URL(authUrl).origin)
  serveLinkPages(app, { mailbox, edits, interests, authUrl, webUrl })
  app.get('/', async (_request, reply) => {
    const body = html`<p>Here you prove who you are: to us, and to applications that let you log in
      with your emoji id. You get here through a link that we mail, or from such an application.</p>`
    return reply.type('text/html; charset=utf-8').send(page('Signing in', body))
  })
  app.get('/jwks', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(jwks),
  )
}
