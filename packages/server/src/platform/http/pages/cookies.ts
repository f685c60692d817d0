import cookies, { type CookieSerializeOptions, type FastifyCookieOptions } from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { daySeconds } from '../../time.ts'

/** The plugin's types omit `decode`, which it passes to its parser. */
type ParseOptions = CookieSerializeOptions & { decode: (text: string) => string }

const parseOptions: ParseOptions = { decode: decodeAscii }

export const readCookies = (app: FastifyInstance) =>
  app.register<FastifyCookieOptions>(cookies, { parseOptions })

/**
 * Our cookies are ASCII. Decoding any other text would throw for malformed ones, which takes 20 ms for a
 * header of thousands of them.
 */
function decodeAscii(text: string): string {
  return /^(?:[^%]|%[0-7][\dA-F])*$/i.test(text) ? decodeURIComponent(text) : text
}

const deviceCookie = '__Host-svc_device'
const year = 365 * daySeconds
const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const

/** The device cookie that an earlier sign-in set. */
export const deviceOf = ({ cookies }: FastifyRequest): string | undefined => cookies[deviceCookie]

export const keepDevice = (reply: FastifyReply, device: string) =>
  reply.setCookie(deviceCookie, device, { ...attributes, maxAge: year })
