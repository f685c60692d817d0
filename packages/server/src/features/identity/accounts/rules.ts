import { textLengths } from '@emojid/core'
import { inField, refusal, refusalIn, ServiceError } from '../../../platform/errors.ts'
import { assertMailAddress, type MailAddress } from '../../../platform/mail/address.ts'
import { dayMs, daySeconds, hourSeconds, minuteMs, toMinuteText } from '../../../platform/time.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { LinkData, NoticeEvent } from '../links/links.ts'
import type { User } from './repository.ts'
import type { DisplayUser, Registration } from './schema.ts'

export type NewAccount = {
  email: MailAddress | null
  alternate_id: string | null
  password: string | null
  source: string | null
  first_name: string | null
  last_name: string | null
  partner_transaction_id: string | null
  activation_source: string | null
  /** The address counts as confirmed without an emailed link. */
  isActivated: boolean
  /** The operator's reason for creating the account. */
  reason: string | null
}

/** A new account without any member. */
export const emptyAccount: NewAccount = {
  email: null,
  alternate_id: null,
  password: null,
  source: null,
  first_name: null,
  last_name: null,
  partner_transaction_id: null,
  activation_source: null,
  isActivated: false,
  reason: null,
}

const shortestPassword = textLengths.password.minLength
const longestPasswordBytes = 1_024

/** The three ways to register: email, email and password, or alternate id and password. */
export function readRegistration(body: Registration, caller: Principal | undefined): NewAccount {
  const email = body.email ?? null
  const alternate_id = body.alternate_id ?? null
  const password = body.password ?? null
  if (email !== null) assertMailAddress(email)
  if (alternate_id === '' || (email === null && alternate_id === null)) throw missingName()
  if (email !== null && alternate_id !== null) throw twoNames()
  if (alternate_id !== null && misleadingCharacter.test(alternate_id)) {
    throw invalidText('alternate_id')
  }
  if (alternate_id !== null && password === null) throw missingPassword()
  if (password !== null) assertHashable(password)
  const mayActivate = caller?.scopes.has('user:activate') === true
  return {
    email,
    alternate_id,
    password,
    source: readLine('source', body.source),
    first_name: readLine('first_name', body.first_name),
    last_name: readLine('last_name', body.last_name),
    partner_transaction_id: readLine('partner_conversion_id', body.partner_conversion_id),
    activation_source: mayActivate ? readLine('activation_source', body.activation_source) : null,
    isActivated: mayActivate && body.activate === true && email !== null,
    reason: caller ? (body.reason ?? null) : null,
  }
}

/** Control characters, line ends, and those that change the direction of the text around them. */
const misleadingCharacter = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Reads one line of text; null if it is empty. */
export function readLine(field: string, text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  if (misleadingCharacter.test(trimmed)) throw invalidText(field)
  return trimmed === '' ? null : trimmed
}

/** Refuses long passwords before they are hashed, because hashing them is slow. */
export function assertHashable(password: string): void {
  if (Buffer.byteLength(password) > longestPasswordBytes) throw tooLongPassword()
}

type Names = { email: string | null; alternate_id: string | null }

/** The login name under which the throttle counts failures. */
export const loginNameOf = ({ email, alternate_id }: Names): string =>
  email === null ? `alternate_id ${alternate_id}` : `email ${email.toLowerCase()}`

export function assertGoodPassword(
  password: string,
  { email, alternate_id }: Names,
  isCommon: boolean,
) {
  assertHashable(password)
  // Code points, because people count a letter outside of ASCII as one character.
  if ([...password].length < shortestPassword) {
    throw weakPassword('too_short', `Use at least ${shortestPassword} characters.`)
  }
  const lower = password.toLowerCase()
  const names = [email, email?.split('@', 1)[0], alternate_id]
  if (names.some((name) => name?.toLowerCase() === lower)) {
    throw weakPassword(
      'is_name',
      'Your password can’t be your name or email address. Choose another one.',
    )
  }
  if (isCommon) {
    throw weakPassword('too_common', 'This password is too common. Choose another one.')
  }
}

/** Reads the names in a change; an empty name removes it. */
export function readNames(change: Partial<Record<'first_name' | 'last_name', string | null>>) {
  const { first_name, last_name } = change
  return {
    ...(first_name === undefined ? {} : { first_name: readLine('first_name', first_name) }),
    ...(last_name === undefined ? {} : { last_name: readLine('last_name', last_name) }),
  }
}

/** The members that a change gives another value. */
export const changedNames = (user: User, names: ReturnType<typeof readNames>) =>
  (['first_name', 'last_name'] as const).filter(
    (name) => names[name] !== undefined && names[name] !== user[name],
  )

/** An app made the password of an account without an address: its user may not know it. */
export const needsPasswordForEmail = ({ email, password_hash, password_by_app }: User): boolean =>
  password_hash !== null && (email !== null || !password_by_app)

/** Without a password, a first one and another address require a recent sign-in by link. */
export function assertLinkedRecently(
  linked_at: Date | null,
  now: Date,
  field: 'password' | 'email',
): void {
  const isRecent = linked_at && now.getTime() - linked_at.getTime() <= firstPasswordMs
  if (!isRecent) throw missingLink(field)
}

export const passwordChangedSentence =
  'The password of your account was changed. All other sessions were signed out.'

/** How long after a sign-in link a first password may be set. */
export const firstPasswordMs = 15 * minuteMs

const promptEveryMs = 30 * dayMs

/** The account as its owner and administrators see it. */
export function showUser(
  user: User,
  pubkeys: string[],
  now: Date,
  freeCeiling: number,
): DisplayUser {
  const free_limit = freeCeiling > 0 ? user.free_limit : 0
  const promptedAt = user.two_factor_last_prompted_at
  return {
    id: user.id,
    role: user.role,
    pubkeys,
    created_at: user.created_at,
    updated_at: user.updated_at,
    free_limit,
    remaining_free_emoji: Math.max(0, free_limit - user.free_used),
    two_factor_should_prompt:
      user.two_factor_auth.length === 0 &&
      (promptedAt === null || now.getTime() - promptedAt.getTime() > promptEveryMs),
    alternate_id: user.alternate_id,
    email: user.email,
    source: user.source,
    first_name: user.first_name,
    last_name: user.last_name,
    deactivated_at: user.deactivated_at,
    email_verified_at: user.email_verified_at,
    two_factor_last_prompted_at: promptedAt,
    two_factor_auth: user.two_factor_auth.length > 0 ? user.two_factor_auth : null,
  }
}

export class TakenError extends ServiceError {
  override readonly name = 'Accounts.TakenError'
  constructor(field: 'email' | 'alternate_id') {
    const message = 'This account already exists. Sign in instead.'
    super('refused', 'uniqueness', message, inField(field, 'uniqueness', message))
  }
}

/** The password is short, common, or the name of the account. */
const weakPassword = (code: string, message: string) =>
  refusal('refused', 'weak_password', message, inField('password', code, message))

export const wrongPassword = () =>
  refusalIn(
    'current_password',
    'refused',
    'wrong_password',
    'The current password is missing or wrong. Send it as current_password.',
    'wrong',
  )

/** The account has not confirmed its email address. */
export const unconfirmedEmail = (message: string) =>
  refusalIn('email', 'refused', 'unconfirmed_email', message, 'unconfirmed')

const missingLink = (field: 'password' | 'email') =>
  refusalIn(
    field,
    'refused',
    'missing_link',
    field === 'password'
      ? 'Set a first password within 15 minutes of signing in by link. Request a new link.'
      : 'Your account has no password. Change the address within 15 minutes of signing in by link. Request a new link.',
  )

/** The owner of the mailbox has neither opened a link nor confirmed the address. */
export const isUnclaimed = ({ claimed_at, email_verified_at }: User): boolean =>
  claimed_at === null && email_verified_at === null

/** The page where the owner can undo an event that an email reported. */
export function noticePage({
  event,
  emoji_id,
  order_id,
}: LinkData & { event: NoticeEvent }): string {
  if (emoji_id) return `/account/ids/${emoji_id}`
  if (order_id) return `/orders/${order_id}`
  return noticePages[event] ?? '/account/security'
}
const noticePages: { [Event in NoticeEvent]?: string } = {
  api_key: '/account/keys',
  pubkey: '/account/keys',
  wallet: '/account/keys',
}

export const tooManyMails = () =>
  refusal('limited', 'too_many_mails', 'You requested too many emails. Try again in an hour.', {
    retry_after_seconds: hourSeconds,
  })

/** Further changes wait, so that the list of former mailboxes stays short. */
export const formerMailboxesAtMost = 3

/** Equals the longest delay lock, so that a former mailbox can still stop a change of an id. */
export const formerMailboxEnd = (now: Date): Date => new Date(now.getTime() + 3 * dayMs)

export const takenBackSentence = (appeals: string): string =>
  `The owner of the former address took the change back, so this address no longer belongs to the account. If the account is yours, write to ${appeals}.`

export const tooManyChanges = () => {
  const message = 'The email address of this account was changed often. Try again in three days.'
  return refusal('limited', 'too_many_changes', message, { retry_after_seconds: 3 * daySeconds })
}

export const recentChange = (until: Date) =>
  refusal(
    'refused',
    'recent_email_change',
    `The email address of the account was changed recently, and the former one can take that back. This is possible from ${toMinuteText(until)} on.`,
  )

export const tooManyNames = (retry_after_seconds: number) => {
  const minutes = Math.ceil(retry_after_seconds / 60)
  const message = `Many names that have an account were tried from your network, so we register none from it for now. Sign in if you have an account. Otherwise try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, or from another network, such as mobile data.`
  return refusal('limited', 'too_many_names', message, {
    retry_after_seconds: Math.ceil(retry_after_seconds),
  })
}

export const tooManyNotices = () => {
  const message =
    'We email you about this change, but your unconfirmed address has reached its daily limit. Confirm it, or try again tomorrow.'
  return refusal('limited', 'too_many_notices', message, { retry_after_seconds: daySeconds })
}

const missingName = () =>
  refusal(
    'invalid',
    'missing_name',
    'Send email, email and password, or alternate_id and password.',
  )

const twoNames = () =>
  refusal('invalid', 'two_names', 'Register with either email or alternate_id, not both.')

const missingPassword = () =>
  refusal('invalid', 'missing_password', 'An alternate_id requires a password. Send password too.')

const tooLongPassword = () =>
  refusal(
    'invalid',
    'too_long_password',
    `This password is too long. Use at most ${longestPasswordBytes} bytes.`,
  )

const invalidText = (field: string) =>
  refusal(
    'invalid',
    'invalid_text',
    `${field} must be one line of text without control characters.`,
  )
