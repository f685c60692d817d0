import { ServiceError } from '../../platform/errors.ts'
import type { User } from '../accounts/index.ts'

/** What somebody asked to have mailed; whether anything is, only the mailbox gets to know. */
export type MailRequest = {
  kind: 'sign_in' | 'reset_password'
  email?: string
  user_id?: string
  redirect?: string
  /** Asked for at an application: its name, the request that it sent, and the hash of the browser. */
  application?: { name: string; query: string; browser: string }
}

export const mailsAtMost = 5
export const mailsWithinMs = 10 * 60_000

const segment = '(?:[A-Za-z0-9_~-]|%[89A-Fa-f][0-9A-Fa-f]|\\.(?!\\.))+'
const ownPath = new RegExp(`^/(?:${segment}(?:/${segment})*/?)?(?:\\?[A-Za-z0-9_.~=&,:%+-]*)?$`)

/** Where something happens by opening it, or that leads elsewhere. */
const otherSites = /^\/(api|auth|dev)(\/|\?|$)/i

/** A place on our own web site, and nothing that any browser could take for another one. */
export function readRedirect(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text === '') return undefined
  if (text.length > 1_000 || !ownPath.test(text) || otherSites.test(text)) throw new RedirectError()
  return text
}

/** Which mail a request leads to, if any. */
export function mailFor(kind: MailRequest['kind'], user: User) {
  if (user.deactivated_at || user.email === null) return undefined
  if (kind === 'reset_password') return 'reset_password'
  if (user.password_hash === null) return 'magic_link'
  return user.email_verified_at === null ? 'confirm_email' : undefined
}

/** Replaces a code that somebody put into the address, which would be read first. */
export function withCode(address: string, code: string): string {
  const url = new URL(address)
  url.searchParams.set('code', code)
  return url.href
}

class RedirectError extends ServiceError {
  override readonly name = 'Mailbox.RedirectError'
  constructor() {
    super('invalid', 'invalid_redirect', 'redirect takes a path on our web site, such as /account.')
  }
}

export const passwordSetSentence =
  'Your account has a password now. Sign-in links do not work any more.'

export class CodeFirstError extends ServiceError {
  override readonly name = 'Mailbox.CodeFirstError'
  constructor() {
    super(
      'refused',
      'code_first',
      'Your account asks for a second factor. Go on, enter your code, and set the password there.',
    )
  }
}

export class LinkGoneError extends ServiceError {
  override readonly name = 'Mailbox.LinkGoneError'
  constructor() {
    super(
      'refused',
      'link_gone',
      'This link was used already, is too old, or was replaced by a newer one. Ask for a new one.',
    )
  }
}
