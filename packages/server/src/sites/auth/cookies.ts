import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { daySeconds, hourSeconds } from '../../platform/time.ts'

/** The sign-in session. */
const session = '__Host-svc_auth'
/** Identifies the browser: links are tied to it, and forms are accepted from it only. */
const browser = '__Host-svc_browser'

/** The request of an application, while the person gets an id at the web site. */
const waitingCookie = '__Host-svc_waiting'
/** Browsers drop longer cookies. */
const longestRequest = 3_000

const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const

export const handleOf = ({ cookies: jar }: FastifyRequest): string => jar[session] ?? ''

export const keepHandle = (reply: FastifyReply, handle: string) =>
  reply.setCookie(session, handle, { ...attributes, maxAge: 14 * daySeconds })

export const dropHandle = (reply: FastifyReply) => reply.clearCookie(session, attributes)

export const browserOf = ({ cookies: jar }: FastifyRequest): string | undefined => {
  const browserId = jar[browser]
  return browserId && /^[\w-]{43}$/.test(browserId) ? browserId : undefined
}

/** The name of a browser, or a new one. */
export const nameOf = (request: FastifyRequest): string =>
  browserOf(request) ?? randomBytes(32).toString('base64url')

/** Identifies a browser for a day after its last page view. */
export const keepBrowser = (reply: FastifyReply, name: string) =>
  reply.setCookie(browser, name, { ...attributes, maxAge: daySeconds })

export const requestOf = ({ cookies: jar }: FastifyRequest): string => jar[waitingCookie] ?? ''

/** Forgets the request that waits, if there is one. */
export const dropRequest = (reply: FastifyReply) => {
  if (requestOf(reply.request) !== '') reply.clearCookie(waitingCookie, attributes)
}

/** Keeps the query of a request for an hour, in place of an earlier one. */
export const keepRequest = (reply: FastifyReply, query: string) => {
  if (encodeURIComponent(query).length > longestRequest) return dropRequest(reply)
  reply.setCookie(waitingCookie, query, { ...attributes, maxAge: hourSeconds })
}
