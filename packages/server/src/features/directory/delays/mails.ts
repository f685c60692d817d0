import type { Letter } from '../../../platform/mail/letter.ts'
import { objectAt } from '../../../platform/mail/phrases.ts'

/** Letters to the owners of an id. */
type Change = { emoji_id: string; changes: readonly string[] }
type WaitingChange = Change & { at: string; link: string }

/** After an operator's change, or with `at` before it. */
export const recordsModerated = ({
  emoji_id,
  changes,
  appeals,
  at,
}: Change & { appeals: string; at?: string }): Letter => ({
  subject: `Payment addresses of ${emoji_id} ${at ? `change on ${at}` : 'changed'}`,
  before: at
    ? `An operator will change the payment addresses of your emoji id ${emoji_id} on ${at}: ${changes.join('; ')}.`
    : `An operator changed the payment addresses of your emoji id ${emoji_id}: ${changes.join('; ')}.`,
  after: objectAt(appeals),
})

/** For an id with a delay lock: a change of its payment addresses waits. */
export const changeWaits = ({ emoji_id, changes, at, link }: WaitingChange): Letter => ({
  subject: `Payment addresses of ${emoji_id} change on ${at}`,
  before: `A change of the payment addresses of your emoji id ${emoji_id} was requested: ${changes.join('; ')}. Because of the delay lock, it takes effect on ${at}.`,
  link: { label: 'Cancel this change', url: link },
  after:
    'If you expected this, you don’t need to do anything. If not, cancel it before then and change your password.',
})

/** A shorter delay lock waits. */
export const delayLowered = ({ emoji_id, changes, at, link }: WaitingChange): Letter => ({
  subject: `The delay lock of ${emoji_id} changes on ${at}`,
  before: `A change of the delay lock of your emoji id ${emoji_id} was requested: ${changes.join('; ')}. It takes effect on ${at}.`,
  link: { label: 'Keep the lock as it is', url: link },
  after:
    'If you expected this, you don’t need to do anything. If not, keep the lock as it is and change your password.',
})
