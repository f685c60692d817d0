import { appViews, partnerViews, patternOf } from '@emojid/core'
import { refusal } from '../../../platform/errors.ts'
import { hourMs, hourSeconds, minuteMs } from '../../../platform/time.ts'
import type { User } from '../accounts/index.ts'

/** A requested mail. Only the mailbox learns whether it was sent. */
export type MailRequest = {
  kind: 'sign_in' | 'reset_password' | 'recover_factor'
  email?: string
  user_id?: string
  redirect?: string
  /** Asked for at an application: its name, the request that it sent, and the hash of the browser. */
  application?: { name: string; query: string; browser: string }
}

export const mailsAtMost = 5
export const mailsWithinMs = 10 * minuteMs
/** For new accounts of one mailbox. */
export const welcomesWithinMs = hourMs

/** Only addresses of our own pages: a page of an id may redirect to any address of its owner. */
const part = '(?:[A-Za-z0-9_~-]|%[89A-Fa-f][0-9A-Fa-f]|\\.(?!\\.))+'
const views = patternOf([...appViews, ...partnerViews], part)
const ownView = new RegExp(`^${views}(?:\\?[A-Za-z0-9_.~=&,:%+-]*)?$`)

export const isOwnView = (path: string): boolean => path.length <= 1_000 && ownView.test(path)

/** A page of our own web site, because a code is added to the address; undefined for any other. */
export function readRedirect(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text === '') return undefined
  if (!isOwnView(text)) throw redirectError()
  return text
}

/** Which mail a request leads to, if any. */
export function mailFor(kind: MailRequest['kind'], user: User) {
  if (user.deactivated_at || user.email === null) return undefined
  if (kind === 'reset_password') return 'reset_password'
  if (kind === 'recover_factor') {
    return user.two_factor_auth.length > 0 ? 'recover_factor' : undefined
  }
  if (user.password_hash === null) return 'magic_link'
  return user.email_verified_at === null ? 'confirm_email' : undefined
}

/** Replaces a code that is in the address already, because the first one would be read. */
export function withCode(address: string, code: string): string {
  const url = new URL(address)
  url.searchParams.set('code', code)
  return url.href
}

const redirectError = () =>
  refusal('invalid', 'invalid_redirect', 'redirect takes a page of our web site, such as /account.')

/**
 * Wallets and keys from before the address was confirmed stay. Without a confirmed address all of
 * them go.
 */
export const resetSentence = (since: Date | null): string =>
  `A new password was set for your account through a mailed link. All sessions, API keys, applications that you logged in at, open transfers and planned changes ended. ${since ? 'Wallets and public keys that were added after your address was confirmed were removed.' : 'All wallets and public keys that were added were removed.'}`

export const passwordSetSentence =
  'Your account has a password now. Sign-in links do not work any more.'

export const codeFirst = () =>
  refusal(
    'refused',
    'missing_code',
    'Your account asks for a second factor. Go on, enter your code, and set the password there.',
  )

export const tooManyMails = () => {
  const message = 'Too many mails went to this mailbox. Try again in an hour.'
  return refusal('limited', 'too_many_mails', message, { retry_after_seconds: hourSeconds })
}

export const linkGone = () =>
  refusal(
    'refused',
    'expired_link',
    'This link was used already, is too old, or was replaced by a newer one. Ask for a new one.',
  )
