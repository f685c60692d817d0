import cookies from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SiteSessions } from '../../features/site-sessions/index.ts'
import { ServiceError } from '../../platform/errors.ts'
import { toServiceError } from '../../platform/http/faults.ts'
import { statusOf } from '../../platform/http/pages.ts'

type Options = { webSessions: SiteSessions; webUrl: string }

const name = '__Host-svc_web'
const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const
const maxAge = 31 * 24 * 60 * 60

/**
 * How our own pages stay signed in: the cookie holds the session, the pages hold access tokens, and
 * no script ever sees what lasts.
 */
export async function webSession(app: FastifyInstance, { webSessions, webUrl }: Options) {
  const ownOrigin = new URL(webUrl).origin
  await app.register(cookies)
  app.setErrorHandler(sendError)
  app.addHook('onRequest', async ({ headers }) => {
    const { 'sec-fetch-site': site, origin } = headers
    const isOwn = site ? site === 'same-origin' : origin === undefined || origin === ownOrigin
    if (!isOwn) throw new ServiceError('forbidden', 'foreign_page', 'Only our own pages call this.')
  })
  const handleOf = ({ cookies: kept }: FastifyRequest): string => kept[name] ?? ''
  const answer = async (handle: string) => {
    const found = await webSessions.find(handle)
    if (!found) throw new SignedOutError()
    const { user, session } = found
    return {
      access_token: await webSessions.accessToken(user, session),
      requires_2fa: session.second_factor_due ? (user.two_factor_auth[0] ?? null) : null,
    }
  }

  /** Whoever holds a refresh token goes on here; the token itself is not used up. */
  app.post('/session', async (request, reply) => {
    const { refresh_token = '' } = (request.body ?? {}) as { refresh_token?: unknown }
    const handle = await webSessions.goOn(String(refresh_token), request.headers['user-agent'])
    const before = handleOf(request)
    if (before) await webSessions.end(before)
    reply.setCookie(name, handle, { ...attributes, maxAge })
    return answer(handle)
  })
  /** Not being signed in is no fault. */
  app.post('/session/token', async (request) => {
    const handle = handleOf(request)
    const isKnown = (await webSessions.find(handle)) !== undefined
    return isKnown ? answer(handle) : { access_token: null, requires_2fa: null }
  })
  app.post('/session/code', async (request) => {
    const { code = '' } = (request.body ?? {}) as { code?: unknown }
    if (!(await webSessions.giveCode(handleOf(request), String(code)))) throw new SignedOutError()
    return answer(handleOf(request))
  })
  app.delete('/session', async (request, reply) => {
    await webSessions.end(handleOf(request))
    reply.clearCookie(name, attributes)
    return {}
  })
}

/** As the API answers, so that pages have one way to read errors. */
function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  const error = toServiceError(thrown)
  if (!error) request.log.error({ err: thrown, request_id: request.id }, 'A session failed')
  const retry = error?.details.retry_after_seconds
  if (retry !== undefined) reply.header('retry-after', String(retry))
  return reply.code(error ? statusOf(error.kind) : 500).send({
    error: error?.message ?? 'Something broke on our side. Try again.',
    ...{ code: error?.code ?? 'server_error', request_id: request.id },
  })
}

class SignedOutError extends ServiceError {
  override readonly name = 'SignedOutError'
  constructor() {
    super('unauthenticated', 'signed_out', 'You are not signed in.')
  }
}
