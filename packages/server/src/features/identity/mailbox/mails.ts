import type { Letter } from '../../../platform/mail/letter.ts'
import { ignoreIt, inWords, notMe } from '../../../platform/mail/phrases.ts'
import { quote } from '../../../platform/mail/quote.ts'

type ExpiringLink = { link: string; valid_minutes: number }

const accountMade = 'An account was created for you'
const madeForYou = 'An operator created an account for this address. '

/**
 * `is_made`: an operator created the account and confirmed the address; its owner can object. `reset`:
 * a sign-in link was requested; the account has a password, and this page sets another.
 */
export const addressConfirmation = ({
  link,
  valid_minutes,
  is_made,
  reset,
}: ExpiringLink & { is_made?: boolean; reset?: string | undefined }): Letter => ({
  subject: is_made ? accountMade : 'Confirm your email address',
  before: `${is_made ? madeForYou : ''}${reset ? 'You asked for a sign-in link. Your account has a password, so sign in with it instead. ' : ''}Please confirm that this address is yours. The link works once, for ${inWords(valid_minutes)}.`,
  link: { label: 'Confirm this address', url: link },
  after: `If you didn’t ${is_made ? 'expect this' : 'register'}, open the link and tell us, or ignore this email.${reset ? ' Forgot your password? You can request a new one below.' : ''}`,
  ...(reset ? { end: { label: 'Choose a new password', url: reset } } : {}),
})

/**
 * `application`: the link signs in there. `confirms`: opening it confirms the address. `not_me`: an
 * operator created the account; with this link, the owner of the mailbox disowns it.
 */
export const signInLink = ({
  link,
  valid_minutes,
  application,
  confirms,
  not_me,
}: ExpiringLink & {
  application?: string | undefined
  confirms?: boolean
  not_me?: string | undefined
}): Letter => ({
  subject: application
    ? `Your link to sign in to ${quote(application)}`
    : confirms
      ? 'Confirm your email address and sign in'
      : not_me
        ? accountMade
        : 'Your sign-in link',
  before: `${not_me ? madeForYou : ''}Here is your link to sign in${application ? ` to ${quote(application)} with your emoji id` : ''}.${confirms ? ' It also confirms that this address is yours.' : ''} It works once, for ${inWords(valid_minutes)}.`,
  link: { label: 'Sign in', url: link },
  after: `${ignoreIt} Don’t forward it: anyone with the link can sign in as you.`,
  ...(not_me ? { end: { label: notMe, url: not_me } } : {}),
})

/** The answer to a request for a sign-in link, if the account has a password. */
export const passwordHint = ({
  link,
  reset,
  application,
}: {
  link: string
  reset: string
  application?: string | undefined
}): Letter => ({
  subject: application
    ? `Sign in to ${quote(application)} with your password`
    : 'Sign in with your password',
  before: 'You asked for a sign-in link. Your account has a password, so sign in with it instead.',
  link: { label: 'Sign in', url: link },
  after: `Forgot your password? You can request a new one below. ${ignoreIt}`,
  end: { label: 'Choose a new password', url: reset },
})

/** `has_none`: the account has no password, for example after "this was not me". */
export const passwordReset = ({
  link,
  valid_minutes,
  has_none,
}: ExpiringLink & { has_none?: boolean }): Letter => ({
  subject: 'Set a new password',
  before: `Use this link to choose a new password. It works once, for ${inWords(valid_minutes)}.`,
  link: { label: 'Choose a new password', url: link },
  after: has_none
    ? 'Until you choose one, your account has no password. You can sign in with a link that we email you.'
    : `${ignoreIt} Your password stays the same.`,
})

export const factorRecovery = ({ link, valid_minutes }: ExpiringLink): Letter => ({
  subject: 'Remove your lost second factor',
  before: `We received a request to remove the lost second factor of your account. If this was you, open this link within ${inWords(valid_minutes)}. We’ll then email you a second link, which removes the factor after three days. If you enter a code before, we cancel the removal.`,
  link: { label: 'Continue', url: link },
  after: `${ignoreIt} Your second factor stays on.`,
})
