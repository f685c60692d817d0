import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { refusal } from '../../../platform/errors.ts'

/** Recognizes a browser without storing its cookie. */
export const browserHash = (browser: string): string =>
  createHash('sha256').update(browser).digest('hex')

/** A CSRF token, bound to the browser. */
export const formToken = (browser: string, key: Buffer): string =>
  createHmac('sha256', key).update(browser).digest('base64url')

/** Checks the CSRF token of a form. */
export function isFormToken(token: string, browser: string | undefined, key: Buffer): boolean {
  if (!browser) return false
  const expected = Buffer.from(formToken(browser, key))
  const actual = Buffer.from(token)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

export const unknownHere = () =>
  refusal('unauthenticated', 'unknown_here', 'You are no longer signed in. Sign in again.')

export const pendingSecondFactor = () =>
  refusal('forbidden', 'pending_second_factor', 'Enter your code first.')
