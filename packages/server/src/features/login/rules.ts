import { ServiceError } from '../../platform/errors.ts'
import { deviceSubject, nameSubjects, networkSubjects, type Subject } from '../throttle/index.ts'
import type { LoginBody } from './schema.ts'

export type LoginName = { email: string } | { alternate_id: string }

/** Exactly one of the two names that an account may have. */
export function readLoginName({ email, alternate_id }: LoginBody): LoginName {
  if (email && alternate_id) throw new LoginNameError()
  if (email) return { email }
  if (alternate_id) return { alternate_id }
  throw new LoginNameError()
}

const allowedWithoutCaptcha = 3

type Tried = {
  /** As `loginNameOf` writes it. */
  name: string
  network: string
  /** A device that logged in to this account before. */
  device: { id: string } | undefined
  /** The captcha provider is away: fewer failures are allowed. */
  isStrict: boolean
}

/** The throttle subjects of a login attempt; a success clears the first. */
export function loginSubjects({ name, network, device, isStrict }: Tried): [Subject, ...Subject[]] {
  if (device) return [deviceSubject(device.id)]
  const allowed = isStrict ? allowedWithoutCaptcha : undefined
  return [...nameSubjects(name, network, allowed), ...networkSubjects(network)]
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
