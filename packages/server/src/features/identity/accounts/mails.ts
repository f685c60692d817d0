import type { Letter } from '../../../platform/mail/letter.ts'
import { ignoreIt, inWords, notMe } from '../../../platform/mail/phrases.ts'

/** About the account of the reader. `not_me`: the "this was not me" link. */
export const securityNotice = (title: string, sentence: string, not_me?: string): Letter => ({
  subject: title,
  before: sentence,
  after: 'If this wasn’t you, act now: another person may have access to your account.',
  ...(not_me ? { end: { label: notMe, url: not_me } } : {}),
})

/** To the new address, before the change. */
export const newAddressConfirmation = ({
  link,
  valid_minutes,
}: {
  link: string
  valid_minutes: number
}): Letter => ({
  subject: 'Confirm your new email address',
  before: `We received a request to use this address for an account. If this was you, confirm it. The link works once, for ${inWords(valid_minutes)}.`,
  link: { label: 'Confirm the new address', url: link },
  after: ignoreIt,
})

/** To the former address, after the change. `not_me` takes the change back, until the time. */
export function emailChanged(remedy?: { not_me: string; until: string }): Letter {
  const subject = 'Your email address was changed'
  if (!remedy) {
    return {
      subject,
      before: 'Your account now has another email address. We no longer send emails to this one.',
      notice: 'We no longer send emails to the former address.',
      after: 'If this wasn’t you, act now: another person may have access to your account.',
    }
  }
  const { not_me, until } = remedy
  return {
    subject,
    before: `Your account now has another email address. Until ${until}, we also send its security notices to this one, and you can take the change back here.`,
    notice: `Until ${until}, we also send security notices to the former address, whose owner can take the change back.`,
    link: { label: 'This wasn’t me: take the change back', url: not_me },
    after:
      'If this wasn’t you, take the change back now: another person may have access to your account.',
  }
}
