import { refusal } from '../../../platform/errors.ts'
import { dayMs, hourMs, toMinuteText } from '../../../platform/time.ts'

/** Long enough for an owner who is away for a weekend. */
const waitMs = 72 * hourMs
/** How long a recovery can be finished after the wait. */
export const keptMs = 7 * dayMs

export const endOf = (now: Date): Date => new Date(now.getTime() + waitMs)

export const cancelledSentence =
  'The second factor of your account was to be removed as lost. Somebody gave a code of it, so it stays. If that was not you, set a new password.'

export const recoveryGone = () =>
  refusal(
    'refused',
    'expired_link',
    'This link was used already or is too old, or somebody gave a code meanwhile. Ask for a new one.',
  )

export const tooEarly = (from: Date) =>
  refusal(
    'refused',
    'too_early',
    `Come back later: this is possible from ${toMinuteText(from)} on.`,
  )
