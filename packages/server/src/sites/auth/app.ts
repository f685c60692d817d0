import type { FastifyInstance } from 'fastify'
import type { Delays } from '../../features/directory/delays/delays.ts'
import type { Edits } from '../../features/directory/edits/edits.ts'
import type { EmojiIds } from '../../features/directory/emoji-ids/emoji-ids.ts'
import type { Mailbox } from '../../features/identity/mailbox/mailbox.ts'
import type { Recovery } from '../../features/identity/recovery/recovery.ts'
import type { Authorization } from '../../features/oauth/authorization/authorization.ts'
import type { Clients } from '../../features/oauth/clients/clients.ts'
import type { Grants } from '../../features/oauth/grants/grants.ts'
import type { Interests } from '../../features/shop/interests/interests.ts'
import type { Purchases } from '../../features/shop/purchases/purchases.ts'
import { countCosts } from '../../platform/http/limits.ts'
import { serveArt } from '../../platform/http/pages/art.ts'
import { readCookies } from '../../platform/http/pages/cookies.ts'
import { readForms } from '../../platform/http/pages/forms.ts'
import { html, page } from '../../platform/http/pages/html.ts'
import { servePages } from '../../platform/http/pages/pages.ts'
import type { KnownMethods } from '../../platform/http/server/methods.ts'
import { serveAuthorization } from './authorize/routes.ts'
import { serveHandOver } from './hand-over.ts'
import { serveLinkPages } from './links/routes.ts'
import { place, serveMetadata } from './metadata.ts'
import { texts } from './texts.ts'
import { tokenEndpoints } from './token.ts'

export type AuthOptions = {
  guard: (app: FastifyInstance) => void
  methods: KnownMethods
  webUrl: string
  authUrl: string
  apiUrl: string
  authorization: Authorization
  mailbox: Mailbox
  purchases: Purchases
  mailPageUrl: string
  delays: Delays
  edits: Edits
  emojiIds: EmojiIds
  interests: Interests
  recovery: Recovery
  grants: Grants
  clients: Clients
  jwks: object
}

/** {auth_url}: sign-in pages and emailed links. */
export async function authSite(app: FastifyInstance, options: AuthOptions) {
  const { guard, webUrl, authUrl, apiUrl, grants, clients, jwks } = options
  servePages(app, 'auth', webUrl, options.methods.at, [new URL(webUrl).origin])
  guard(app)
  app.get('/jwks', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*')
      .send(jwks),
  )
  serveMetadata(app, { authUrl, apiUrl }, place)
  serveArt(app)
  await app.register(tokenEndpoints, { grants, clients })
  await app.register(serveHandOver, { authorization: options.authorization, webUrl })
  await app.register(async (scope) => personalPages(scope, options))
}

async function personalPages(app: FastifyInstance, options: AuthOptions) {
  readForms(app, new URL(options.authUrl).origin)
  await readCookies(app)
  countCosts(app, 'auth')
  const { link } = serveAuthorization(app, options)
  serveLinkPages(app, { ...options, openAtApplication: link })
  app.get('/', async (_request, reply) => {
    const { title, text } = texts()
    return reply.type('text/html; charset=utf-8').send(page(title, html`<p>${text}</p>`))
  })
}
