import { inField, refusal, refusalIn, ServiceError } from '../../../platform/errors.ts'
import { assertMailAddress, type MailAddress } from '../../../platform/mail/address.ts'
import { dayMs, daySeconds, hourSeconds, minuteMs } from '../../../platform/time.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { DisplayUser, Registration } from './schema.ts'
import type { User } from './table.ts'

export type NewAccount = {
  email: MailAddress | null
  alternate_id: string | null
  password: string | null
  source: string | null
  first_name: string | null
  last_name: string | null
  partner_transaction_id: string | null
  activation_source: string | null
  /** The address counts as confirmed, although no mailed link was opened. */
  isActivated: boolean
  /** Why an operator makes the account. */
  reason: string | null
}

/** An account with no member filled in. */
export const nobody: NewAccount = {
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

const shortestPassword = 8
const longestPassword = 1_024

/** The three ways to register: e-mail, e-mail and password, or alternate id and password. */
export function readRegistration(body: Registration, caller: Principal | undefined): NewAccount {
  const email = body.email ?? null
  const alternate_id = body.alternate_id ?? null
  const password = body.password ?? null
  if (email !== null) assertMailAddress(email)
  if (alternate_id === '' || (email === null && alternate_id === null)) throw nobodyError()
  if (email !== null && alternate_id !== null) throw twoNames()
  if (alternate_id !== null && misleading.test(alternate_id)) {
    throw controlCharacter('alternate_id')
  }
  if (alternate_id !== null && password === null) throw missingPassword()
  if (password !== null) assertHashable(password)
  const mayActivate = caller?.scopes.has('user:activate') === true
  return {
    email,
    alternate_id,
    password,
    source: plain('source', body.source),
    first_name: plain('first_name', body.first_name),
    last_name: plain('last_name', body.last_name),
    partner_transaction_id: plain('partner_conversion_id', body.partner_conversion_id),
    activation_source: mayActivate ? plain('activation_source', body.activation_source) : null,
    isActivated: mayActivate && body.activate === true && email !== null,
    reason: caller ? (body.reason ?? null) : null,
  }
}

/** Control characters, and those that change the direction of the text around them. */
const misleading = /[\p{Cc}\p{Bidi_Control}]/u

/** One line of text, or null. */
export function plain(field: string, text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  if (/\p{Cc}/u.test(trimmed)) throw controlCharacter(field)
  return trimmed === '' ? null : trimmed
}

/**
 * A password that is too long is refused before it is hashed, because hashing long texts is slow.
 */
export function assertHashable(password: string): void {
  if (Buffer.byteLength(password) > longestPassword) throw passwordTooLong()
}

type Names = { email: string | null; alternate_id: string | null }

/** The login name that the throttle counts failures for. */
export const loginNameOf = ({ email, alternate_id }: Names): string =>
  email === null ? `alternate_id ${alternate_id}` : `email ${email.toLowerCase()}`

export function assertGoodPassword(
  password: string,
  { email, alternate_id }: Names,
  isCommon: boolean,
) {
  assertHashable(password)
  if (Buffer.byteLength(password) < shortestPassword) {
    throw weakPassword('too_short', `A password has at least ${shortestPassword} bytes.`)
  }
  const lower = password.toLowerCase()
  const names = [email, email?.split('@', 1)[0], alternate_id]
  if (names.some((name) => name?.toLowerCase() === lower)) {
    throw weakPassword('is_name', 'The password must not be your name or address.')
  }
  if (isCommon) {
    throw weakPassword('too_common', 'Many people use this password. Choose another one.')
  }
}

/** The names in a change; an empty one removes the name. */
export function readNames(change: Partial<Record<'first_name' | 'last_name', string | null>>) {
  const { first_name, last_name } = change
  return {
    ...(first_name === undefined ? {} : { first_name: plain('first_name', first_name) }),
    ...(last_name === undefined ? {} : { last_name: plain('last_name', last_name) }),
  }
}

/** A first password needs a mailed link that was opened just now. */
export function assertLinkedRecently(linked_at: Date | null, now: Date, withinMs: number): void {
  if (!linked_at || now.getTime() - linked_at.getTime() > withinMs) throw linkNeeded()
}

export const passwordChangedSentence =
  'The password of your account was changed, and all other sessions ended.'

/** How long after a sign-in link a first password may be set. */
export const firstPasswordMs = 15 * minuteMs

const promptEveryMs = 30 * dayMs

/** What a user shows to themselves and to administrators. */
export function showUser(user: User, pubkeys: string[], now: Date): DisplayUser {
  const prompted = user.two_factor_last_prompted_at
  return {
    id: user.id,
    role: user.role,
    pubkeys,
    created_at: user.created_at,
    updated_at: user.updated_at,
    free_limit: user.free_limit,
    remaining_free_emoji: Math.max(0, user.free_limit - user.free_used),
    two_factor_should_prompt:
      user.two_factor_auth.length === 0 &&
      (prompted === null || now.getTime() - prompted.getTime() > promptEveryMs),
    alternate_id: user.alternate_id,
    email: user.email,
    source: user.source,
    first_name: user.first_name,
    last_name: user.last_name,
    deactivated_at: user.deactivated_at,
    email_verified_at: user.email_verified_at,
    two_factor_last_prompted_at: prompted,
    two_factor_auth: user.two_factor_auth.length > 0 ? user.two_factor_auth : null,
  }
}

export class TakenError extends ServiceError {
  override readonly name = 'Accounts.TakenError'
  constructor(field: 'email' | 'alternate_id') {
    const message = 'This is already registered. Log in instead.'
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
    'Give your current password as current_password.',
    'wrong',
  )

/** The account has not confirmed its e-mail address. */
export const unconfirmedEmail = (message: string) =>
  refusalIn('email', 'refused', 'unconfirmed_email', message, 'unconfirmed')

const linkNeeded = () =>
  refusalIn(
    'password',
    'refused',
    'missing_link',
    'A first password is set within 15 minutes of a sign-in link. Ask for a new link.',
  )

export const tooManyMails = () =>
  refusal('limited', 'too_many_mails', 'Too many mails were asked for. Try again in an hour.', {
    retry_after_seconds: hourSeconds,
  })

export const tooManyNotices = () => {
  const message =
    'We tell you of such changes by e-mail, and your address got too many for one that is not confirmed. Confirm it, or try again tomorrow.'
  return refusal('limited', 'too_many_notices', message, { retry_after_seconds: daySeconds })
}

const nobodyError = () =>
  refusal(
    'invalid',
    'missing_name',
    'Give email, email and password, or alternate_id and password.',
  )

const twoNames = () =>
  refusal('invalid', 'two_names', 'Register with email or with alternate_id, not with both.')

const missingPassword = () =>
  refusal('invalid', 'missing_password', 'An alternate_id needs a password.')

const passwordTooLong = () =>
  refusal('invalid', 'too_long_password', `A password has at most ${longestPassword} bytes.`)

const controlCharacter = (field: string) =>
  refusal('invalid', 'invalid_text', `${field} takes one line of text without control characters.`)
