import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import encodeQr from 'qr'
import { inField, refusal, refusalIn } from '../../../platform/errors.ts'
import { networksOfOne } from '../../../platform/http/network.ts'
import {
  type Country,
  type Phone,
  parsePhone,
  type SmsLimits,
} from '../../../platform/sms/phones.ts'
import { hourSeconds, minuteMs } from '../../../platform/time.ts'
import { type User, unconfirmedEmail } from '../accounts/index.ts'
import type { SmsPurpose } from './table.ts'

const stepSeconds = 30
const backupCodes = 10
const backupBytes = 15
export const smsLastsMs = 5 * minuteMs
export const smsTriesAtMost = 5
/** Per hour for a user, per day for the others. */
const smsAtMost = { user: 5, phone: 10, network: { confirm: 20, give: 200 } }
const setupLastsMs = 15 * minuteMs
const issuer = 'Emoji Id Directory'

export const makeSecret = (): string => generateSecret()

/** For authenticator apps. */
export function qrCodeOf(secret: string, label: string): string {
  return encodeQr(generateURI({ issuer, label, secret }), 'svg')
}

/** The time step of a code, within one step of now; undefined if none fits. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const epoch = Math.floor(now.getTime() / 1_000)
  const result = verifySync({ secret, token: code, epoch, epochTolerance: stepSeconds })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Ten codes of 120 bits, in groups that can be copied by hand. */
export const makeBackupCodes = (): string[] =>
  Array.from({ length: backupCodes }, () =>
    [...randomBytes((backupBytes * 8) / 5)]
      .map((byte) => alphabet[byte % 32])
      .join('')
      .replace(/(.{6})(?=.)/g, '$1-'),
  )

export const backupHash = (code: string): Buffer =>
  createHash('sha256').update(`backup code ${code}`).digest()

export const makeSmsCode = (): string => randomInt(1_000_000).toString().padStart(6, '0')

/** The phone that a code is sent to. */
export function readPhone(
  text: string,
  purpose: SmsPurpose,
  countries: ReadonlySet<Country>,
): Phone {
  const phone = parsePhone(text)
  if (phone?.isMobile && countries.has(phone.country)) return phone
  if (purpose === 'give') throw unservedPhone()
  if (!phone) throw unusablePhone('This phone number does not exist. Check its digits.')
  if (!phone.isMobile) throw unusablePhone('Give the number of a mobile phone.')
  throw unusablePhone('Text messages are not sent to this country. Use an authenticator app.')
}

export const phoneHmac = (number: string, key: Buffer): Buffer =>
  createHmac('sha256', key).update(`phone ${number}`).digest()

/** An account with an unconfirmed address costs nothing to make, so it sends nothing. */
export function assertMaySetUpPhone({ email, email_verified_at }: User): void {
  if (email !== null && email_verified_at === null) throw unconfirmed()
}

type Sent = {
  user: number
  phone: number
  network: number
  networkWithoutEmail: number
  wideNetwork: number
  wideNetworkWithoutEmail: number
  country: number
  day: number
}
export type SmsLimit = keyof Sent

/** The first limit that one more message would pass. */
export function findReachedLimit(
  sent: Sent,
  { purpose, has_email }: { purpose: SmsPurpose; has_email: boolean },
  limits: SmsLimits,
): SmsLimit | undefined {
  // Setups may use half of a shared limit: otherwise they could keep owners of phones from logging
  // in.
  const share = (limit: number) => (purpose === 'confirm' ? Math.ceil(limit / 2) : limit)
  if (sent.user >= smsAtMost.user) return 'user'
  if (sent.phone >= share(smsAtMost.phone)) return 'phone'
  if (purpose === 'confirm' && !has_email && sent.networkWithoutEmail > 0)
    return 'networkWithoutEmail'
  if (purpose === 'confirm' && !has_email && sent.wideNetworkWithoutEmail >= networksOfOne)
    return 'wideNetworkWithoutEmail'
  if (sent.network >= smsAtMost.network[purpose]) return 'network'
  if (sent.wideNetwork >= networksOfOne * smsAtMost.network[purpose]) return 'wideNetwork'
  if (sent.country >= share(limits.perCountry)) return 'country'
  return sent.day >= share(limits.perDay) ? 'day' : undefined
}

export const smsHmac = (code: string, place: SmsPlace, key: Buffer): Buffer =>
  createHmac('sha256', key).update(`${place.purpose} ${place.session_id} ${code}`).digest()
export type SmsPlace = { session_id: string; purpose: SmsPurpose }

export const isEqual = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

export const passwordHint = 'Log in again, or send your password as current_password.'

export type Code = { kind: 'digits' | 'backup'; text: string }

/** Every code works once. */
export type Verdict = 'right' | 'wrong' | 'used'

/** Six digits, spaces allowed, or a backup code as it was shown, in any case. */
export function readCode(text: string): Code {
  const digits = text.replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(digits)) return { kind: 'digits', text: digits }
  const backup = asBackupCode(text)
  if (!backup) throw codeForm()
  return { kind: 'backup', text: backup }
}

export function readBackupCode(text: string): string {
  const backup = asBackupCode(text)
  if (!backup) throw backupCodeForm()
  return backup
}

function asBackupCode(text: string): string | undefined {
  const letters = text.replace(/[\s-]/g, '').toUpperCase()
  return /^[A-Z2-7]{24}$/.test(letters) ? letters.replace(/(.{6})(?=.)/g, '$1-') : undefined
}

export const isOpen = ({ created_at }: { created_at: Date }, now: Date): boolean =>
  now.getTime() - created_at.getTime() <= setupLastsMs

export const lastDigits = (phone: string): string => phone.slice(-4)

export const codeForm = () =>
  refusal(
    'invalid',
    'malformed_code',
    'A code has six digits; a backup code has 24 letters and digits.',
  )

const backupCodeForm = () =>
  refusal(
    'invalid',
    'malformed_code',
    'backup_code takes 24 letters and digits, as they were shown.',
  )

export const wrongCode = (field: 'code' | 'backup_code' = 'code') =>
  refusalIn(
    field,
    'refused',
    'wrong_code',
    'This code is wrong, too old, or was used already.',
    'wrong',
  )

/** Right, but of a moment that a code was taken for already. */
export const usedCode = () =>
  refusalIn(
    'code',
    'refused',
    'used_code',
    'This code was used already. Wait for the next one of your app.',
    'used',
  )

export const nothingToConfirm = () =>
  refusal('refused', 'nothing_to_confirm', 'Enable a second factor first; the set-up is too old.')

export const notEnabled = () =>
  refusal('refused', 'not_enabled', 'This second factor is not in force.')

export const phoneMissing = () =>
  refusalIn('phone', 'refused', 'missing_phone', 'Give your phone number as phone.', 'missing')

/** No text message can be sent to this number. */
const unusablePhone = (message: string) =>
  refusal('refused', 'unusable_phone', message, inField('phone', 'unusable', message))

/** The phone was confirmed before its country or kind was refused. */
const unservedPhone = () =>
  refusal(
    'refused',
    'unserved_phone',
    'Text messages are no longer sent to your phone number. Use a backup code, or your authenticator app if you have one.',
  )

const unconfirmed = () =>
  unconfirmedEmail('Confirm your e-mail address first. The link is in your mailbox.')

export const tooManySms = (limit: SmsLimit, purpose: SmsPurpose) => {
  const message =
    limit === 'networkWithoutEmail' || limit === 'wideNetworkWithoutEmail'
      ? 'Accounts without an e-mail address get one text message a day to set up a phone. Use an authenticator app, or try again tomorrow.'
      : purpose === 'give'
        ? 'Too many text messages were sent. Wait, or use a backup code.'
        : 'Too many text messages were sent. Use an authenticator app, or try again later.'
  const retry_after_seconds = limit === 'user' ? 600 : hourSeconds
  return refusal('limited', 'too_many_sms', message, { retry_after_seconds })
}

export const providerMissing = () =>
  refusal('invalid', 'missing_provider', 'Give provider, or disable_all as true.')

export const nameMissing = () =>
  refusal('invalid', 'missing_name', 'Give email or alternate_id, and backup_code.')
