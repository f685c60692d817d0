import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../../platform/errors.ts'

/** Tells a browser again without keeping what it holds. */
export const browserHash = (browser: string): string =>
  createHash('sha256').update(browser).digest('hex')

/** What a form of ours has in it that no other site can know. */
export const formToken = (browser: string, key: Buffer): string =>
  createHmac('sha256', key).update(browser).digest('base64url')

export function assertForm(token: string, browser: string | undefined, key: Buffer): void {
  const expected = Buffer.from(formToken(browser ?? '', key))
  const given = Buffer.from(token)
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  if (!browser || !isOurs) throw new FormError()
}

class FormError extends ServiceError {
  override readonly name = 'Authorization.FormError'
  constructor() {
    super(
      'forbidden',
      'foreign_form',
      'This form was not sent from its page, or your browser keeps no cookies. Go back to the application and start again.',
    )
  }
}

/** Whoever was known here is not any more. */
export class UnknownHereError extends ServiceError {
  override readonly name = 'Authorization.UnknownHereError'
  constructor() {
    super('unauthenticated', 'unknown_here', 'You are not signed in here any more.')
  }
}

export class CodeOwedError extends ServiceError {
  override readonly name = 'Authorization.CodeOwedError'
  constructor() {
    super('forbidden', 'second_factor_pending', 'Enter your code first.')
  }
}
