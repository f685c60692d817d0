import type { Transaction } from '../../../tables.ts'
import type { OwnedId } from '../emoji-ids/index.ts'
import type { Deps } from './deps.ts'
import type { Transfer } from './table.ts'

/** Both sides read the event. It names neither of them: each may be unknown to the other. */
export function recordTransfer(
  { events }: Deps,
  trx: Transaction,
  type: 'transfer.offered' | 'transfer.accepted',
  { id, emoji_id, recipient_id, organization_id }: Transfer,
  from: OwnedId,
): Promise<void> {
  return events.recordEvent(trx, {
    type,
    emoji_id,
    data: { transfer_id: id },
    audience: [from, { user_id: recipient_id, organization_id }],
  })
}
