import { refusal } from '../../../platform/errors.ts'
import { deviceSubject, nameSubjects, networkSubjects, type Subject } from '../throttle/index.ts'
import type { LoginBody } from './schema.ts'

export type LoginName = { email: string } | { alternate_id: string }

/** Exactly one of the two names that an account may have. */
export function readLoginName({ email, alternate_id }: LoginBody): LoginName {
  if (email && alternate_id) throw loginName()
  if (email) return { email }
  if (alternate_id) return { alternate_id }
  throw loginName()
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

const loginName = () =>
  refusal('invalid', 'missing_name', 'Give email or alternate_id, and password.')

export const wrongCredentials = () =>
  refusal('unauthenticated', 'wrong_credentials', 'This name and password do not belong together.')

export const noMailbox = () => refusal('invalid', 'missing_name', 'Give email or user_id.')

export const invalidCode = () =>
  refusal('unauthenticated', 'expired_code', 'This code was used already or is too old.')

export const captchaError = () =>
  refusal(
    'invalid',
    'wrong_captcha',
    'Solve the captcha again and send it as g_recaptcha_response.',
  )

export const captchaAway = () =>
  refusal(
    'unavailable',
    'unavailable_captcha',
    'The captcha cannot be checked right now. Try again.',
    {
      retry_after_seconds: 10,
    },
  )
