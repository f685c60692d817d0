import { refusal } from '../../../platform/errors.ts'
import type { Letter } from '../../../platform/mail/letter.ts'
import { objectAt } from '../../../platform/mail/phrases.ts'
import { quote } from '../../../platform/mail/quote.ts'
import type { Principal } from '../../operations/access/access.ts'
import { isTheirs, type OwnedId } from '../emoji-ids/emoji-ids.ts'

/** An email names this many ids and counts the rest. */
const namedAtMost = 20

/** The ids of an email as text. */
function nameIds(ownedIds: readonly OwnedId[]): string {
  const names = ownedIds.slice(0, namedAtMost).map(({ display_format }) => display_format)
  const rest = ownedIds.length - names.length
  return [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}

type Reason = { reason: string; appeals: string }

export const idsSuspended = (
  ownedIds: readonly OwnedId[],
  { reason, appeals }: Reason,
): Letter => ({
  subject: 'Your emoji ids were suspended',
  before: `An operator suspended ${nameIds(ownedIds)}: payers and visitors can’t reach you there, and you can’t change, transfer or release them. The reason: ${quote(reason)}`,
  after: objectAt(appeals),
})

export const idsRestored = (ownedIds: readonly OwnedId[], { reason, appeals }: Reason): Letter => ({
  subject: 'Your emoji ids were restored',
  before: `The suspension of ${nameIds(ownedIds)} has ended. If a change of payment addresses was waiting, request it again. The reason: ${quote(reason)}`,
  after: `If you have questions, write to ${appeals}.`,
})

/** An operator could not restore an own id, so it cannot be suspended either. */
export function assertNotOwnId(caller: Principal, ownedId: OwnedId): void {
  if (isTheirs(caller, ownedId)) throw ownId()
}

const ownId = () =>
  refusal(
    'forbidden',
    'own_id',
    'You can’t suspend or restore your own emoji id. Ask another operator.',
  )
