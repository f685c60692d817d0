import { refusal } from '../../../platform/errors.ts'
import type { Principal } from '../../operations/access/index.ts'
import { isTheirs, type OwnedId } from '../emoji-ids/index.ts'

/** A mail names this many ids and counts the rest. */
const namedAtMost = 20

/** The ids of a mail as text. */
export function nameIds(owned: readonly OwnedId[]): string {
  const names = owned.slice(0, namedAtMost).map(({ display_format }) => display_format)
  const rest = owned.length - names.length
  return [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}

/** An operator cannot lift the suspension of an own id. */
export function assertNotOwnId(caller: Principal, owned: OwnedId): void {
  if (isTheirs(caller, owned)) throw ownId()
}

const ownId = () =>
  refusal('forbidden', 'own_id', 'You can’t restore your own emoji id. Ask another operator.')
