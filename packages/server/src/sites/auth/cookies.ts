import { randomBytes } from 'node:crypto'
import cookies from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { daySeconds } from '../../platform/time.ts'

/** Who signed in here. */
const session = '__Host-svc_auth'
/** Which browser this is: links know it again, and forms are only taken from it. */
const browser = '__Host-svc_browser'

const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const

export const readCookies = (app: FastifyInstance) => app.register(cookies)

export const handleOf = ({ cookies: kept }: FastifyRequest): string => kept[session] ?? ''

export const keepHandle = (reply: FastifyReply, handle: string) =>
  reply.setCookie(session, handle, { ...attributes, maxAge: 14 * daySeconds })

export const dropHandle = (reply: FastifyReply) => reply.clearCookie(session, attributes)

export const browserOf = ({ cookies: kept }: FastifyRequest): string | undefined => {
  const known = kept[browser]
  return known && /^[\w-]{43}$/.test(known) ? known : undefined
}

/** What a browser is known by, or is to be. */
export const nameOf = (request: FastifyRequest): string =>
  browserOf(request) ?? randomBytes(32).toString('base64url')

/** Makes a browser known, for a day from the last page that it was shown. */
export const keepBrowser = (reply: FastifyReply, name: string) =>
  reply.setCookie(browser, name, { ...attributes, maxAge: daySeconds })
