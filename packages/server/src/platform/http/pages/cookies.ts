import cookies, { type CookieSerializeOptions, type FastifyCookieOptions } from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'

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
