import { refusal } from '../../../platform/errors.ts'
import { deviceSubject, nameSubjects, networkSubjects, type Subject } from '../throttle/throttle.ts'
import type { LoginBody } from './routes.ts'

export type LoginName = { email: string } | { alternate_id: string }

/** Reads exactly one of the two names of an account. */
export function readLoginName({ email, alternate_id }: LoginBody): LoginName {
  if (email && alternate_id) throw missingLoginName()
  if (email) return { email }
  if (alternate_id) return { alternate_id }
  throw missingLoginName()
}

const allowedWithoutCaptcha = 3

type LoginAttempt = {
  /** The result of `loginNameOf`. */
  name: string
  network: string
  /** A device that signed in to this account before. */
  device: { id: string } | undefined
  /** The captcha provider is unavailable, so fewer failures are allowed. */
  isStrict: boolean
}

/** The throttle subjects of a sign-in attempt; a success clears the first. */
export function loginSubjects({
  name,
  network,
  device,
  isStrict,
}: LoginAttempt): [Subject, ...Subject[]] {
  if (device) return [deviceSubject(device.id)]
  const allowed = isStrict ? allowedWithoutCaptcha : undefined
  return [...nameSubjects(name, network, allowed), ...networkSubjects(network)]
}

/** The same response for every address, to hide which addresses have accounts. */
export const linkAnswer = {
  message: 'If this address has an account, we’ve emailed it a link.',
  status: 'Active' as const,
}

const missingLoginName = () =>
  refusal('invalid', 'missing_name', 'Send email or alternate_id, and password.')

export const wrongCredentials = () =>
  refusal(
    'unauthenticated',
    'wrong_credentials',
    'The name or password is wrong. Try again, or reset your password.',
  )

export const missingMailbox = () => refusal('invalid', 'missing_name', 'Send email or user_id.')

export const expiredCode = () =>
  refusal(
    'unauthenticated',
    'expired_code',
    'This code has expired or was already used. Sign in again.',
  )

export const wrongCaptcha = () =>
  refusal(
    'invalid',
    'wrong_captcha',
    'The captcha is missing or wrong. Solve it again and send it as g_recaptcha_response.',
  )

export const unavailableCaptcha = () =>
  refusal(
    'unavailable',
    'unavailable_captcha',
    'We can’t check the captcha right now. Try again in a few seconds.',
    {
      retry_after_seconds: 10,
    },
  )
