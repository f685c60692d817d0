import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Login } from '../../features/identity/login/login.ts'
import type { SiteSessions } from '../../features/identity/sessions/sessions.ts'
import { refusal } from '../../platform/errors.ts'
import { daySeconds } from '../../platform/time.ts'
import { cookieAttributes, member } from './own-pages.ts'

const name = '__Host-svc_web'
export const visitCookie = '__Host-svc_visit'
/** The session between password and code; a session cookie. */
const owingCookie = '__Host-svc_owing'
/** Cookies of the authorization site, which may share our host: its session, and the request of an application. */
const authCookie = '__Host-svc_auth'
const waitingCookie = '__Host-svc_waiting'
const maxAge = 31 * daySeconds

export const handleOf = ({ cookies }: FastifyRequest): string => cookies[name] ?? ''
/** Whether the browser has a session cookie, complete or not. It may have expired. */
export const mayBeSignedIn = (cookieHeader: string | undefined): boolean =>
  [name, owingCookie].some((cookie) => cookieHeader?.includes(`${cookie}=`))
/** Whether the authorization site may know the browser. Both sites may share one host. */
export const mayBeSignedInElsewhere = (cookieHeader: string | undefined): boolean =>
  [authCookie, waitingCookie].some((cookie) => cookieHeader?.includes(`${cookie}=`))
const owingHandleOf = ({ cookies }: FastifyRequest): string => cookies[owingCookie] ?? ''

/** Signs this browser in with the handle, and signs the previous account out. */
export async function goOnAs(
  webSessions: SiteSessions,
  request: FastifyRequest,
  reply: FastifyReply,
  handle: string,
) {
  const tokens = await tokensFor(webSessions, handle)
  const before = handleOf(request)
  if (before && before !== handle) await webSessions.endSiteSession(before)
  reply.setCookie(name, handle, { ...cookieAttributes, maxAge })
  await dropOwing(webSessions, request, reply)
  return tokens
}

/** Ends an unfinished sign-in. */
async function dropOwing(webSessions: SiteSessions, request: FastifyRequest, reply: FastifyReply) {
  const owingHandle = owingHandleOf(request)
  if (!owingHandle) return
  await webSessions.endSiteSession(owingHandle)
  reply.clearCookie(owingCookie, cookieAttributes)
}

/** Ends the sessions of this browser at the web site, finished or not. */
export async function signOutBrowser(
  webSessions: SiteSessions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await webSessions.endSiteSession(handleOf(request))
  await dropOwing(webSessions, request, reply)
  reply.clearCookie(name, cookieAttributes)
  // The next person must not inherit this visit, nor the request of an application.
  reply.clearCookie(visitCookie, cookieAttributes)
  reply.clearCookie(waitingCookie, cookieAttributes)
}

/**
 * Keeps our own pages signed in: the cookie holds the session, the pages hold short-lived access
 * tokens, and no script sees a long-lived secret.
 */
export function serveSession(
  app: FastifyInstance,
  { webSessions, login }: { webSessions: SiteSessions; login: Login },
): void {
  app.post('/session', async (request, reply) => {
    const refresh_token = member(request, 'refresh_token')
    const { take_over } = (request.body ?? {}) as { take_over?: unknown }
    const user_agent = request.headers['user-agent']
    const takeOver = take_over === true
    const handle = await webSessions.continueAtSite(refresh_token, { user_agent, takeOver })
    return goOnAs(webSessions, request, reply, handle)
  })
  /** Returns null to a browser that is not signed in, without an error. */
  app.post('/session/token', async (request) => {
    const handle = handleOf(request)
    const isKnown = (await webSessions.findSiteSession(handle)) !== undefined
    if (isKnown) return tokensFor(webSessions, handle)
    const owingSession = await owedBy(webSessions, owingHandleOf(request))
    return { access_token: null, requires_2fa: null, owing: owingSession }
  })
  app.post('/session/code', async (request) => {
    const handle = handleOf(request)
    const outcome = await webSessions.giveCode(handle, member(request, 'code'))
    if (!outcome) throw signedOut()
    return tokensFor(webSessions, handle)
  })
  /** For what requires a recent sign-in. */
  app.post('/session/password', async (request) => {
    const handle = handleOf(request)
    await webSessions.signInAgain(handle, member(request, 'current_password'))
    return tokensFor(webSessions, handle)
  })
  app.delete('/session', async (request, reply) => {
    await signOutBrowser(webSessions, request, reply)
    // On another host, our pages call {auth}/sign_out.
    await login.signOutAt('authorization', request.cookies[authCookie] ?? '')
    reply.clearCookie(authCookie, cookieAttributes)
    return {}
  })
  serveOwing(app, webSessions)
}

/** A sign-in between password and code. It changes no signed-in account and survives a reload. */
function serveOwing(app: FastifyInstance, webSessions: SiteSessions): void {
  app.post('/session/owing', async (request, reply) => {
    const refresh_token = member(request, 'refresh_token')
    const user_agent = request.headers['user-agent']
    const how = { user_agent, takeOver: true, owesCode: true }
    const handle = await webSessions.continueAtSite(refresh_token, how)
    return { owing: await owe(webSessions, request, reply, handle) }
  })
  app.post('/session/owing/code', async (request, reply) => {
    const owingHandle = owingHandleOf(request)
    if (!(await webSessions.findPendingSession(owingHandle))) throw loginOver()
    const user_agent = request.headers['user-agent']
    const handle = await webSessions.finishLogin(owingHandle, member(request, 'code'), user_agent)
    if (!handle) throw loginOver()
    return goOnAs(webSessions, request, reply, handle)
  })
  app.delete('/session/owing', async (request, reply) => {
    await dropOwing(webSessions, request, reply)
    return {}
  })
}

/** Stores a sign-in that still owes its code. */
export async function owe(
  webSessions: SiteSessions,
  request: FastifyRequest,
  reply: FastifyReply,
  handle: string,
) {
  await dropOwing(webSessions, request, reply)
  reply.setCookie(owingCookie, handle, cookieAttributes)
  return owedBy(webSessions, handle)
}

/** The second factor that needs a code, and a token that can request one. */
async function owedBy(webSessions: SiteSessions, handle: string) {
  const siteSession = await webSessions.findPendingSession(handle)
  if (!siteSession) return null
  const { user, session } = siteSession
  return {
    provider: user.two_factor_auth[0] ?? null,
    name: user.email ?? user.alternate_id,
    access_token: await webSessions.issueAccessToken(user, session),
  }
}

export async function tokensFor(webSessions: SiteSessions, handle: string) {
  const siteSession = await webSessions.findSiteSession(handle)
  if (!siteSession) throw signedOut()
  const { user, session } = siteSession
  return {
    access_token: await webSessions.issueAccessToken(user, session),
    requires_2fa: session.second_factor_due ? (user.two_factor_auth[0] ?? null) : null,
  }
}

export const signedOut = () => refusal('unauthenticated', 'signed_out', 'You’re not signed in.')

const loginOver = () =>
  refusal('unauthenticated', 'expired_login', 'This sign-in has expired. Please start again.')
