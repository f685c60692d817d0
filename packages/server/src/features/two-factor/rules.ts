import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import encodeQr from 'qr'
import { inField, ServiceError } from '../../platform/errors.ts'

const stepSeconds = 30
const backupCodes = 10
const backupBytes = 15
export const smsLastsMs = 5 * 60_000
export const smsTriesAtMost = 5
export const smsSentAtMost = 5
export const smsSentWithinMs = 60 * 60_000
const setupLastsMs = 15 * 60_000
const issuer = 'Emoji Id Directory'

export const makeSecret = (): string => generateSecret()

/** What an authenticator app scans. */
export function qrCodeOf(secret: string, label: string): string {
  return encodeQr(generateURI({ issuer, label, secret }), 'svg')
}

/** The time step whose code this is, within one step of now, else nothing. */
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

/** To prove a phone that is not in force yet, or as the second factor: never one for the other. */
type SmsPurpose = 'confirm' | 'give'

export const smsHmac = (code: string, place: SmsPlace, key: Buffer): Buffer =>
  createHmac('sha256', key).update(`${place.purpose} ${place.session_id} ${code}`).digest()
export type SmsPlace = { session_id: string; purpose: SmsPurpose }

export const isEqual = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

export type Code = { kind: 'digits' | 'backup'; text: string }

/** Every code works once. */
export type Verdict = 'right' | 'wrong' | 'used'

/** Six digits, spaces allowed, or a backup code as it was shown, in any case. */
export function readCode(text: string): Code {
  const digits = text.replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(digits)) return { kind: 'digits', text: digits }
  const backup = asBackupCode(text)
  if (!backup) throw new CodeFormError()
  return { kind: 'backup', text: backup }
}

export function readBackupCode(text: string): string {
  const backup = asBackupCode(text)
  if (!backup) throw new BackupCodeFormError()
  return backup
}

function asBackupCode(text: string): string | undefined {
  const letters = text.replace(/[\s-]/g, '').toUpperCase()
  return /^[A-Z2-7]{24}$/.test(letters) ? letters.replace(/(.{6})(?=.)/g, '$1-') : undefined
}

export const isOpen = ({ created_at }: { created_at: Date }, now: Date): boolean =>
  now.getTime() - created_at.getTime() <= setupLastsMs

export const lastDigits = (phone: string): string => phone.slice(-4)

export class CodeFormError extends ServiceError {
  override readonly name = 'TwoFactor.CodeFormError'
  constructor() {
    super(
      'invalid',
      'invalid_code',
      'A code has six digits; a backup code has 24 letters and digits.',
    )
  }
}

class BackupCodeFormError extends ServiceError {
  override readonly name = 'TwoFactor.BackupCodeFormError'
  constructor() {
    super('invalid', 'invalid_code', 'backup_code takes 24 letters and digits, as they were shown.')
  }
}

export class WrongCodeError extends ServiceError {
  override readonly name = 'TwoFactor.WrongCodeError'
  constructor(field: 'code' | 'backup_code' = 'code') {
    const message = 'This code is wrong, too old, or was used already.'
    super('refused', 'wrong_code', message, inField(field, 'wrong', message))
  }
}

/** Right, but of a moment that a code was taken for already. */
export class UsedCodeError extends ServiceError {
  override readonly name = 'TwoFactor.UsedCodeError'
  constructor() {
    const message = 'This code was used already. Wait for the next one of your app.'
    super('refused', 'used_code', message, inField('code', 'used', message))
  }
}

export class NothingToConfirmError extends ServiceError {
  override readonly name = 'TwoFactor.NothingToConfirmError'
  constructor() {
    super('refused', 'nothing_to_confirm', 'Enable a second factor first; the set-up is too old.')
  }
}

export class NotEnabledError extends ServiceError {
  override readonly name = 'TwoFactor.NotEnabledError'
  constructor() {
    super('refused', 'not_enabled', 'This second factor is not in force.')
  }
}

export class PhoneMissingError extends ServiceError {
  override readonly name = 'TwoFactor.PhoneMissingError'
  constructor() {
    const message = 'Give your phone number as phone.'
    super('refused', 'phone_missing', message, inField('phone', 'missing', message))
  }
}

export class TooManySmsError extends ServiceError {
  override readonly name = 'TwoFactor.TooManySmsError'
  constructor() {
    super(
      'limited',
      'too_many_sms',
      'Too many text messages were sent. Wait, or use a backup code.',
      {
        retry_after_seconds: 600,
      },
    )
  }
}

export class ProviderMissingError extends ServiceError {
  override readonly name = 'TwoFactor.ProviderMissingError'
  constructor() {
    super('invalid', 'missing_provider', 'Give provider, or disable_all as true.')
  }
}

export class NameMissingError extends ServiceError {
  override readonly name = 'TwoFactor.NameMissingError'
  constructor() {
    super('invalid', 'missing_name', 'Give email or alternate_id, and backup_code.')
  }
}
