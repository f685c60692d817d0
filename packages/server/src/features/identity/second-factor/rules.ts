import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import encodeQr from 'qr'
import { inField, refusal, refusalIn } from '../../../platform/errors.ts'
import { networksOfOne } from '../../../platform/http/network.ts'
import { inWords, serviceName } from '../../../platform/mail/phrases.ts'
import {
  type Country,
  type Phone,
  parsePhone,
  type SmsLimits,
} from '../../../platform/sms/phones.ts'
import { hourSeconds, minuteMs } from '../../../platform/time.ts'
import { type User, unconfirmedEmail } from '../accounts/accounts.ts'
import type { SmsPurpose } from './repository.ts'

const stepSeconds = 30
const backupCodeCount = 10
const backupBytes = 15
export const smsLastsMs = 5 * minuteMs
export const smsTriesAtMost = 5
/**
 * Per hour for a user, per day for the other limits. A thief of the password requests texts too, so
 * that a user has separate limits per wide network, and another for the network of the last accepted
 * code.
 */
const smsAtMost = {
  user: 5,
  userAnywhere: { confirm: 5, give: 15 },
  network: { confirm: 20, give: 200 },
}
/**
 * Per day to one number. Any account can request a set-up of a stranger's number. So set-ups take
 * nothing from the sign-ins of an account that confirmed the number, and one account or network cannot
 * use up its set-ups.
 */
const toPhoneAtMost: Record<SmsPurpose, [SmsLimit, number][]> = {
  confirm: [
    ['phone', 6],
    ['phoneByUser', 3],
    ['phoneByNetwork', 3],
  ],
  give: [
    ['givenHere', 10],
    ['givenAnywhere', 30],
  ],
}
const setupLastsMs = 15 * minuteMs
export const makeSecret = (): string => generateSecret()

/** For authenticator apps. */
export function qrCodeOf(secret: string, label: string): string {
  return encodeQr(generateURI({ issuer: serviceName, label, secret }), 'svg')
}

/** The time step of a code, within one step of now; undefined if none fits. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const epoch = Math.floor(now.getTime() / 1_000)
  const result = verifySync({ secret, token: code, epoch, epochTolerance: stepSeconds })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Ten codes of 120 bits, in groups for copying by hand. */
export const makeBackupCodes = (): string[] =>
  Array.from({ length: backupCodeCount }, () =>
    [...randomBytes((backupBytes * 8) / 5)]
      .map((byte) => alphabet[byte % 32])
      .join('')
      .replace(/(.{6})(?=.)/g, '$1-'),
  )

export const backupHash = (code: string): Buffer =>
  createHash('sha256').update(`backup code ${code}`).digest()

export const makeSmsCode = (): string => randomInt(1_000_000).toString().padStart(6, '0')

export const smsText = (code: string, valid_minutes: number): string =>
  `${code} is your ${serviceName} code. It works for ${inWords(valid_minutes)}. Don’t share it.`

/** Reads a phone number that can receive text messages. */
export function readPhone(
  text: string,
  purpose: SmsPurpose,
  countries: ReadonlySet<Country>,
): Phone {
  const phone = parsePhone(text)
  if (phone?.isMobile && countries.has(phone.country)) return phone
  if (purpose === 'give') throw unservedPhone()
  if (!phone) throw unusablePhone('This phone number does not exist. Check the digits.')
  if (!phone.isMobile)
    throw unusablePhone('This is not a mobile number. Use the number of a mobile phone.')
  throw unusablePhone('We do not send text messages to this country. Use an authenticator app.')
}

export const phoneHmac = (number: string, key: Buffer): Buffer =>
  createHmac('sha256', key).update(`phone ${number}`).digest()

/** Accounts with an unconfirmed address are free to create, so they may not send messages. */
export function assertMaySetUpPhone({ email, email_verified_at }: User): void {
  if (email !== null && email_verified_at === null) throw unconfirmedAddress()
}

type SentCode = {
  user: number
  userAnywhere: number
  givenHere: number
  givenAnywhere: number
  phone: number
  phoneByUser: number
  phoneByNetwork: number
  network: number
  networkWithoutEmail: number
  wideNetwork: number
  wideNetworkWithoutEmail: number
  country: number
  day: number
}
export type SmsLimit = keyof SentCode

/** The first rate limit that one more message would exceed. */
export function findReachedLimit(
  sentCode: SentCode,
  { purpose, has_email }: { purpose: SmsPurpose; has_email: boolean },
  limits: SmsLimits,
): SmsLimit | undefined {
  // Setups may use half of a shared limit, so that they cannot block sign-ins by text message.
  const share = (limit: number) => (purpose === 'confirm' ? Math.ceil(limit / 2) : limit)
  if (sentCode.user >= smsAtMost.user) return 'user'
  if (sentCode.userAnywhere >= smsAtMost.userAnywhere[purpose]) return 'userAnywhere'
  for (const [limit, atMost] of toPhoneAtMost[purpose]) {
    if (sentCode[limit] >= atMost) return limit
  }
  if (purpose === 'confirm' && !has_email && sentCode.networkWithoutEmail > 0)
    return 'networkWithoutEmail'
  if (purpose === 'confirm' && !has_email && sentCode.wideNetworkWithoutEmail >= networksOfOne)
    return 'wideNetworkWithoutEmail'
  if (sentCode.network >= smsAtMost.network[purpose]) return 'network'
  if (sentCode.wideNetwork >= networksOfOne * smsAtMost.network[purpose]) return 'wideNetwork'
  if (sentCode.country >= share(limits.perCountry)) return 'country'
  return sentCode.day >= share(limits.perDay) ? 'day' : undefined
}

export const smsHmac = (
  code: string,
  { purpose, session_id, sealed }: SmsPlace,
  key: Buffer,
): Buffer => createHmac('sha256', key).update(`${purpose} ${session_id} ${sealed} ${code}`).digest()

/** `sealed` is another text in each set-up, also of the same phone. */
export type SmsPlace = { session_id: string; purpose: SmsPurpose; sealed: string }

export const passwordHint = 'Sign in again, or send your password as current_password.'

export type Code = { kind: 'digits' | 'backup'; text: string }

/** `used`: a replay, because every code works once. */
export type Verdict = 'right' | 'wrong' | 'used'

/** Reads six digits, or a backup code. Ignores spaces, dashes and case. */
export function readCode(text: string): Code {
  const digits = text.replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(digits)) return { kind: 'digits', text: digits }
  const backup = asBackupCode(text)
  if (!backup) throw malformedCode()
  return { kind: 'backup', text: backup }
}

export function readBackupCode(text: string): string {
  const backup = asBackupCode(text)
  if (!backup) throw malformedBackupCode()
  return backup
}

function asBackupCode(text: string): string | undefined {
  const letters = text.replace(/[\s-]/g, '').toUpperCase()
  return /^[A-Z2-7]{24}$/.test(letters) ? letters.replace(/(.{6})(?=.)/g, '$1-') : undefined
}

export const isOpen = ({ created_at }: { created_at: Date }, now: Date): boolean =>
  now.getTime() - created_at.getTime() <= setupLastsMs

export const lastDigits = (phone: string): string => phone.slice(-4)

export const malformedCode = () =>
  refusal(
    'invalid',
    'malformed_code',
    'Enter a code of six digits, or a backup code of 24 letters and digits.',
  )

const malformedBackupCode = () =>
  refusal('invalid', 'malformed_code', 'backup_code must have 24 letters and digits.')

export const wrongCode = (field: 'code' | 'backup_code' = 'code') =>
  refusalIn(
    field,
    'refused',
    'wrong_code',
    'This code is wrong, expired or already used. Try a new one.',
    'wrong',
  )

/** A replay of an accepted code. */
export const usedCode = () =>
  refusalIn(
    'code',
    'refused',
    'used_code',
    'This code was already used. Wait for the next code in your authenticator app.',
    'used',
  )

export const nothingToConfirm = () =>
  refusal(
    'refused',
    'nothing_to_confirm',
    'The setup has expired or does not exist. Start it again.',
  )

export const notEnabled = () =>
  refusal('refused', 'not_enabled', 'This second factor is not enabled.')

export const missingPhone = () =>
  refusalIn('phone', 'refused', 'missing_phone', 'Send your phone number as phone.', 'missing')

/** This phone number can’t receive text messages. Use another number or an authenticator app. */
const unusablePhone = (message: string) =>
  refusal('refused', 'unusable_phone', message, inField('phone', 'unusable', message))

/** The phone was confirmed before the service stopped to serve its country or kind. */
const unservedPhone = () =>
  refusal(
    'refused',
    'unserved_phone',
    'We no longer send text messages to your phone number. Use a backup code or your authenticator app.',
  )

const unconfirmedAddress = () =>
  unconfirmedEmail('Confirm your email address first. The link is in your mailbox.')

export const tooManySms = (limit: SmsLimit, purpose: SmsPurpose) => {
  const message =
    limit === 'networkWithoutEmail' || limit === 'wideNetworkWithoutEmail'
      ? 'Accounts without an email address get one setup text message a day. Use an authenticator app, or try again tomorrow.'
      : purpose === 'give'
        ? 'We sent too many text messages. Try again later, or use a backup code.'
        : 'We sent too many text messages. Use an authenticator app, or try again later.'
  const retry_after_seconds = limit.startsWith('user') ? 600 : hourSeconds
  return refusal('limited', 'too_many_sms', message, { retry_after_seconds })
}

export const missingProvider = () =>
  refusal('invalid', 'missing_provider', 'Send provider, or disable_all as true.')

export const missingName = () =>
  refusal('invalid', 'missing_name', 'Send email or alternate_id, and backup_code.')
