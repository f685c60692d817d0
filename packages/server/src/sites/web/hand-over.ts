import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { browserHash, type Login } from '../../features/identity/login/login.ts'
import type { SiteSessions } from '../../features/identity/sessions/sessions.ts'
import { refusal } from '../../platform/errors.ts'
import { countCosts } from '../../platform/http/limits.ts'
import { readCookies } from '../../platform/http/pages/cookies.ts'
import { field, formLimit } from '../../platform/http/pages/forms.ts'
import { minuteMs } from '../../platform/time.ts'
import { cookieAttributes, member } from './own-pages.ts'
import { goOnAs, handleOf, signOutBrowser } from './session.ts'

export type HandOverOptions = { login: Login; webSessions: SiteSessions; authUrl: string }

/** Names the browser while it continues the sign-in of the authorization site. */
const browserCookie = '__Host-svc_arrival'
const limit = { config: { per_minute: 120 } }

/**
 * Answers the authorization site, which sends the browser here to learn whether it is signed in.
 * The code works once, for a minute, at that site and in that browser. The redirect has no other
 * target.
 */
export async function passOnLogin(app: FastifyInstance, { login, authUrl }: HandOverOptions) {
  await readCookies(app)
  countCosts(app, 'web')
  app.get('/session/hand-over', limit, async (request, reply) => {
    const browser = field(request.query, 'browser')
    const isHash = /^[\w-]{43}$/.test(browser)
    const isPage = request.headers['sec-fetch-mode'] === 'navigate'
    const token =
      isHash && isPage ? await login.handOver('web', handleOf(request), browser) : undefined
    const query = queryWithout(request, ['browser', 'web_login'])
    query.set('web_login', token ?? 'none')
    return reply.redirect(`${authUrl}/authorize?${query}`, 302)
  })
}

/**
 * Continues "Use another account" of the authorization site, which redirects its form here: the
 * browser is signed out at both sites. Other sites cannot sign a person out (CSRF).
 */
export async function serveLeave(
  app: FastifyInstance,
  { webSessions, authUrl }: HandOverOptions,
): Promise<void> {
  await readCookies(app)
  countCosts(app, 'web')
  const readNothing = async () => ({})
  const form = 'application/x-www-form-urlencoded'
  app.addContentTypeParser(form, { parseAs: 'string', bodyLimit: formLimit }, readNothing)
  app.post('/session/leave', limit, async (request, reply) => {
    // Our two hosts can belong to one site. The origin is "null", since our pages send no referrer.
    const isOwn = ['same-origin', 'same-site'].includes(`${request.headers['sec-fetch-site']}`)
    if (isOwn) await signOutBrowser(webSessions, request, reply)
    const query = queryWithout(request, ['browser', 'web_login'])
    query.set('web_login', 'none')
    return reply.redirect(`${authUrl}/authorize?${query}`, 303)
  })
}

function queryWithout({ query }: FastifyRequest, names: readonly string[]): URLSearchParams {
  const members = Object.entries(query as Record<string, unknown>)
  const texts = members.filter((one): one is [string, string] => typeof one[1] === 'string')
  return new URLSearchParams(texts.filter(([name]) => !names.includes(name)))
}

/** The sign-in page continues the sign-in of the authorization site. */
export function serveArrival(app: FastifyInstance, { login, webSessions }: HandOverOptions): void {
  app.post('/session/arrival', limit, async (_request, reply) => {
    const name = randomBytes(32).toString('base64url')
    reply.setCookie(browserCookie, name, { ...cookieAttributes, maxAge: minuteMs / 1_000 })
    return { browser: browserHash(name) }
  })
  app.post('/session/arrive', limit, async (request, reply) => {
    const name = request.cookies[browserCookie]
    const user_agent = request.headers['user-agent']
    const token = member(request, 'token')
    reply.clearCookie(browserCookie, cookieAttributes)
    const handle = await login.acceptHandOver('web', token, name, user_agent)
    if (!handle) throw expired()
    return goOnAs(webSessions, request, reply, handle)
  })
}

const expired = () =>
  refusal('unauthenticated', 'expired_code', 'This took too long. Sign in again.')
