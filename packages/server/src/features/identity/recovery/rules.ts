import { refusal } from '../../../platform/errors.ts'
import type { Letter } from '../../../platform/mail/letter.ts'
import { serviceName } from '../../../platform/mail/phrases.ts'
import { dayMs, hourMs, toMinuteText } from '../../../platform/time.ts'

/** Long enough for an owner who is away for a weekend. */
const waitMs = 72 * hourMs
/** How long a recovery can be finished after the wait. */
export const finishWithinMs = 7 * dayMs

export const endOf = (now: Date): Date => new Date(now.getTime() + waitMs)

export const begunTitle = 'Your second factor can be removed soon'

/** To the mailbox of an account whose lost second factor waits to be removed. */
export const recoveryBegun = (link: string, from: string): Letter => ({
  subject: begunTitle,
  before: `A link from this mailbox was used to report the second factor of your account as lost. From ${from}, you can use the link below for one week to remove it.`,
  notice: `From ${from}, an emailed link can remove your second factor. If this wasn’t you, cancel the removal.`,
  link: { label: 'Remove the second factor', url: link },
  after:
    'If this wasn’t you, sign in with a code, or cancel the removal on the security page of your account. Then change the password of this mailbox.',
})

export const begunSentence = (from: string): string =>
  `From ${from}, a link that was sent to the new address of your account can remove its second factor. To prevent that, take the change of the address back.`

export const begunSms = (from: string): string =>
  `The second factor of your ${serviceName} account can be removed with an emailed link from ${from}. If this wasn’t you, sign in with a code to stop it.`

export const cancelledSentence =
  'A code was entered, so we cancelled the removal of your second factor. If you didn’t enter it, set a new password.'

export const expiredLink = () =>
  refusal(
    'refused',
    'expired_link',
    'This link has expired, was already used, or was cancelled by a code. Request a new link.',
  )

export const tooEarly = (from: Date) =>
  refusal(
    'refused',
    'too_early',
    `It is too early to remove the second factor. Come back after ${toMinuteText(from)}.`,
  )
