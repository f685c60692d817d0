import { refusal } from '../../../platform/errors.ts'
import { hourMs, hourSeconds, minuteMs } from '../../../platform/time.ts'
import type { User } from '../accounts/accounts.ts'
import type { Link } from '../links/links.ts'

/** A requested mail. Only the mailbox shows whether it was sent. */
export type MailRequest = {
  kind: 'sign_in' | 'reset_password' | 'recover_factor'
  email?: string
  user_id?: string
  redirect?: string
  /** The application that requested the link: its name and query, and the hash of the browser. */
  application?: { name: string; query: string; browser: string }
}

export const mailsAtMost = 5
export const mailsWithinMs = 10 * minuteMs
/** The rate limit of new accounts per mailbox. */
export const welcomesWithinMs = hourMs

/** The email that answers a request; undefined for none. */
export function mailFor(kind: MailRequest['kind'], user: User) {
  if (user.deactivated_at || user.email === null) return undefined
  if (kind === 'reset_password') return 'reset_password'
  if (kind === 'recover_factor') {
    return user.two_factor_auth.length > 0 ? 'recover_factor' : undefined
  }
  if (user.password_hash === null) return 'magic_link'
  return user.email_verified_at === null ? 'confirm_email' : 'has_password'
}

/** The event that the reader of a "this was not me" link disavows. */
export const toNotice = ({ data, created_at: at }: Link) =>
  data.event ? [{ ...data, event: data.event, at }] : []

/** No address of the account was ever confirmed: its registrant may be a stranger. */
export const hasNoMailbox = ({ email_verified_at }: User): boolean => email_verified_at === null

/** The page to sign in with a password. The page of a partner has a sign-in of its own. */
export function passwordPage(webUrl: string, redirect: string | undefined): string {
  if (redirect?.startsWith('/partner/')) return webUrl + redirect
  return `${webUrl}/sign-in${redirect ? `?next=${encodeURIComponent(redirect)}` : ''}`
}

/** The page to request a new password. */
export const forgotPage = (webUrl: string): string => `${webUrl}/sign-in?view=reset`

/** Replaces an existing code in the URL, because a reader would take the first one. */
export function withCode(address: string, code: string): string {
  const url = new URL(address)
  url.searchParams.set('code', code)
  return url.href
}

/** Wallets and keys stay if they are older than the confirmation of the address. */
export const resetSentence = (since: Date | null): string =>
  `A new password was set for your account with an emailed link. We revoked all sessions, API keys and connected apps, and cancelled open transfers and waiting changes. ${since ? 'We removed wallets and public keys that were added after you confirmed your address.' : 'We removed all wallets and public keys that were added.'}`

export const passwordSetSentence =
  'Your account now has a password. Sign in with it: sign-in links no longer work.'

export const missingCode = () =>
  refusal(
    'refused',
    'missing_code',
    'Your account has a second factor. Continue, enter your code, then set the password in your account.',
  )

export const tooManyMails = () => {
  const message = 'We sent too many emails to this address. Try again in an hour.'
  return refusal('limited', 'too_many_mails', message, { retry_after_seconds: hourSeconds })
}

export const expiredLink = () =>
  refusal(
    'refused',
    'expired_link',
    'This link has expired, was already used, or was replaced by a newer one. Request a new link.',
  )
