import { ServiceError } from '../../platform/errors.ts'
import { addressSubject, nameSubject } from '../throttle/index.ts'
import type { LoginBody } from './schema.ts'

/** Exactly one of the two names that an account may have. */
export function readLoginName({ email, alternate_id }: LoginBody) {
  if (email && alternate_id) throw new LoginNameError()
  if (email) return { email }
  if (alternate_id) return { alternate_id }
  throw new LoginNameError()
}

const allowedWithoutCaptcha = 3

/** What failures are counted for; fewer are allowed while nobody can tell people from programs. */
export function loginSubjects(
  name: ReturnType<typeof readLoginName>,
  address: string,
  strict: boolean,
) {
  const text =
    'email' in name ? `email ${name.email.toLowerCase()}` : `alternate_id ${name.alternate_id}`
  const subjects = { name: nameSubject(text), address: addressSubject(address) }
  if (strict) subjects.name.allowed = allowedWithoutCaptcha
  return subjects
}

/** The same whoever it is, and whether they exist. */
export const linkAnswer = {
  message: 'If this address can have a link, it is on its way.',
  status: 'Active' as const,
}

class LoginNameError extends ServiceError {
  override readonly name = 'Login.LoginNameError'
  constructor() {
    super('invalid', 'missing_name', 'Give email or alternate_id, and password.')
  }
}

export class WrongCredentialsError extends ServiceError {
  override readonly name = 'Login.WrongCredentialsError'
  constructor() {
    super('unauthenticated', 'wrong_credentials', 'This name and password do not belong together.')
  }
}

export class NoMailboxError extends ServiceError {
  override readonly name = 'Login.NoMailboxError'
  constructor() {
    super('invalid', 'missing_name', 'Give email or user_id.')
  }
}

export class InvalidCodeError extends ServiceError {
  override readonly name = 'Login.InvalidCodeError'
  constructor() {
    super('unauthenticated', 'invalid_code', 'This code was used already or is too old.')
  }
}

export class CaptchaError extends ServiceError {
  override readonly name = 'Login.CaptchaError'
  constructor() {
    super('invalid', 'captcha', 'Solve the captcha again and send it as g_recaptcha_response.')
  }
}

export class CaptchaAwayError extends ServiceError {
  override readonly name = 'Login.CaptchaAwayError'
  constructor() {
    super('unavailable', 'captcha_away', 'The captcha cannot be checked right now. Try again.', {
      retry_after_seconds: 10,
    })
  }
}
