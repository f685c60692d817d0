import { refusal } from '../../../platform/errors.ts'
import type { Principal } from '../../operations/access/index.ts'
import { isTheirs, type OwnedId } from '../emoji-ids/emoji-ids.ts'

/** An email names this many ids and counts the rest. */
const namedAtMost = 20

/** The ids of an email as text. */
export function nameIds(ownedIds: readonly OwnedId[]): string {
  const names = ownedIds.slice(0, namedAtMost).map(({ display_format }) => display_format)
  const rest = ownedIds.length - names.length
  return [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}

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
