import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SiteSessions } from '../../features/site-sessions/index.ts'
import { ServiceError } from '../../platform/errors.ts'
import { cookieAttributes, member } from './own-pages.ts'

const name = '__Host-svc_web'
export const visitCookie = '__Host-svc_visit'
const maxAge = 31 * 24 * 60 * 60

export const handleOf = ({ cookies }: FastifyRequest): string => cookies[name] ?? ''

/** From now on this browser is who the handle says; whoever it was before is signed out. */
export async function goOnAs(
  webSessions: SiteSessions,
  request: FastifyRequest,
  reply: FastifyReply,
  handle: string,
) {
  const tokens = await tokensFor(webSessions, handle)
  const before = handleOf(request)
  if (before && before !== handle) await webSessions.end(before)
  reply.setCookie(name, handle, { ...cookieAttributes, maxAge })
  return tokens
}

/**
 * How our own pages stay signed in: the cookie holds the session, the pages hold access tokens, and
 * no script ever sees what lasts.
 */
export function serveSession(app: FastifyInstance, webSessions: SiteSessions): void {
  app.post('/session', async (request, reply) => {
    const refresh_token = member(request, 'refresh_token')
    const { take_over } = (request.body ?? {}) as { take_over?: unknown }
    const user_agent = request.headers['user-agent']
    const takeOver = take_over === true
    const handle = await webSessions.goOn(refresh_token, { user_agent, takeOver })
    return goOnAs(webSessions, request, reply, handle)
  })
  /** Not being signed in is no fault. */
  app.post('/session/token', async (request) => {
    const handle = handleOf(request)
    const isKnown = (await webSessions.find(handle)) !== undefined
    return isKnown ? tokensFor(webSessions, handle) : { access_token: null, requires_2fa: null }
  })
  app.post('/session/code', async (request) => {
    const handle = handleOf(request)
    const given = await webSessions.giveCode(handle, member(request, 'code'))
    if (!given) throw new SignedOutError()
    return tokensFor(webSessions, handle)
  })
  app.delete('/session', async (request, reply) => {
    await webSessions.end(handleOf(request))
    reply.clearCookie(name, cookieAttributes)
    // Nobody who comes after takes along what came with this person.
    reply.clearCookie(visitCookie, cookieAttributes)
    return {}
  })
}

async function tokensFor(webSessions: SiteSessions, handle: string) {
  const found = await webSessions.find(handle)
  if (!found) throw new SignedOutError()
  const { user, session } = found
  return {
    access_token: await webSessions.accessToken(user, session),
    requires_2fa: session.second_factor_due ? (user.two_factor_auth[0] ?? null) : null,
  }
}

class SignedOutError extends ServiceError {
  override readonly name = 'SignedOutError'
  constructor() {
    super('unauthenticated', 'signed_out', 'You are not signed in.')
  }
}
