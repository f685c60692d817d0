import type { Transaction } from '../../../tables.ts'
import type { Handover } from './move-id.ts'
import type { Transfer } from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

/**
 * Both sides read the event. It names neither of them: each may be unknown to the other. An
 * unconfirmed recipient is left out, because a stranger may have registered with the address.
 */
export function recordTransfer(
  { events }: Deps,
  trx: Transaction,
  type: 'transfer.offered' | 'transfer.accepted',
  { id, emoji_id, organization_id }: Transfer,
  { owned, recipient }: Pick<Handover, 'owned' | 'recipient'>,
): Promise<void> {
  const user_id = recipient && rules.isVisibleTo(recipient) ? recipient.id : null
  return events.recordEvent(trx, {
    type,
    emoji_id,
    data: { transfer_id: id },
    audience: [owned, { user_id, organization_id }],
  })
}
