import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { refusal } from '../../../platform/errors.ts'

/** Recognizes a browser without storing its cookie. */
export const browserHash = (browser: string): string =>
  createHash('sha256').update(browser).digest('hex')

/** A token that only our own pages can put into a form. */
export const formToken = (browser: string, key: Buffer): string =>
  createHmac('sha256', key).update(browser).digest('base64url')

/** Whether a form was sent from a page that this browser got from us. */
export function isFormToken(token: string, browser: string | undefined, key: Buffer): boolean {
  if (!browser) return false
  const expected = Buffer.from(formToken(browser, key))
  const given = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Whoever was known here is not any more. */
export const unknownHere = () =>
  refusal('unauthenticated', 'unknown_here', 'You are not signed in here any more.')

export const codeOwed = () =>
  refusal('forbidden', 'pending_second_factor', 'Enter your code first.')
