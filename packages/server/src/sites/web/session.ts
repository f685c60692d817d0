import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SiteSessions } from '../../features/site-sessions/index.ts'
import { ServiceError } from '../../platform/errors.ts'
import { cookieAttributes, member } from './own-pages.ts'

const name = '__Host-svc_web'
const maxAge = 31 * 24 * 60 * 60

export const handleOf = ({ cookies }: FastifyRequest): string => cookies[name] ?? ''

/** The holder of a refresh token goes on in this browser; the token stays good unless it is taken over. */
export async function startSession(
  webSessions: SiteSessions,
  request: FastifyRequest,
  reply: FastifyReply,
  { refresh_token, takeOver }: { refresh_token: string; takeOver: boolean },
) {
  const user_agent = request.headers['user-agent']
  const handle = await webSessions.goOn(refresh_token, { user_agent, takeOver })
  const before = handleOf(request)
  if (before) await webSessions.end(before)
  reply.setCookie(name, handle, { ...cookieAttributes, maxAge })
  return { handle, tokens: await tokensFor(webSessions, handle) }
}

/**
 * How our own pages stay signed in: the cookie holds the session, the pages hold access tokens, and
 * no script ever sees what lasts.
 */
export function serveSession(app: FastifyInstance, webSessions: SiteSessions): void {
  app.post('/session', async (request, reply) => {
    const refresh_token = member(request, 'refresh_token')
    const { take_over } = (request.body ?? {}) as { take_over?: unknown }
    const given = { refresh_token, takeOver: take_over === true }
    return (await startSession(webSessions, request, reply, given)).tokens
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
