import { textLengths } from '@emojid/core'
import { refusal } from '../../../platform/errors.ts'
import { minuteMs } from '../../../platform/time.ts'
import type { User } from '../accounts/accounts.ts'
import type { Passkey } from './repository.ts'

export const passkeysAtMost = 20
/** How long a challenge is valid; browsers show their dialog for as long. */
export const challengeMs = 5 * minuteMs

/** The name that people see in the dialog of their browser. */
export const relyingPartyName = 'Emoji Id Directory'

export const relyingParty = (webUrl: string) => {
  const { hostname, origin } = new URL(webUrl)
  return { id: hostname, origin }
}

export function readName(text: string): string {
  const name = text.trim()
  if (
    name === '' ||
    [...name].length > textLengths.passkeyName.maxLength ||
    /[\p{Cc}\p{Bidi_Control}]/u.test(name)
  ) {
    throw invalidName()
  }
  return name
}

/** The parts of a browser's response that are read before its signature is verified. */
export type PasskeyResponse = { id: string; response: { clientDataJSON: string } }

export function readResponse(value: unknown): PasskeyResponse {
  const response = value as Partial<PasskeyResponse> | null | undefined
  const { id } = response ?? {}
  if (typeof id !== 'string' || !/^[\w-]{1,1400}$/.test(id)) throw wrongPasskey()
  return response as PasskeyResponse
}

/** Whether a passkey takes the place of a code: an intruder may have added it before the factor. */
export const countsAsCode = (passkey: Pick<Passkey, 'confirmed_at'>, user: User): boolean =>
  user.two_factor_auth.length === 0 || passkey.confirmed_at !== null

export const show = (passkey: Passkey, user: User) => {
  const { id, name, created_at, last_used_at } = passkey
  return { id, name, created_at, last_used_at, needs_code: !countsAsCode(passkey, user) }
}

export const addedSentence = (name: string) =>
  `The passkey “${name}” was added to your account. It signs you in without a password.`

export const removedSentence = (name: string) =>
  `The passkey “${name}” was removed from your account and no longer signs you in.`

export const passwordHint = 'Enter your password, or sign in again.'

/** The same response for an unknown, removed or foreign passkey and a deactivated account. */
export const wrongPasskey = () =>
  refusal(
    'unauthenticated',
    'wrong_passkey',
    'We couldn’t verify this passkey. Try again, or sign in another way.',
  )

export const olderPasskey = () =>
  refusal(
    'refused',
    'older_passkey',
    'This passkey is older than your second factor. Enter a code, then allow the passkey on the Security page.',
  )

export const tooManyPasskeys = () =>
  refusal(
    'refused',
    'too_many_passkeys',
    `An account can have ${passkeysAtMost} passkeys. Remove one first.`,
  )

export const unknownPasskey = () =>
  refusal('not_found', 'unknown_passkey', 'This passkey does not exist. Reload the page.')

const invalidName = () =>
  refusal(
    'invalid',
    'invalid_name',
    `Choose a name of up to ${textLengths.passkeyName.maxLength} characters.`,
  )
