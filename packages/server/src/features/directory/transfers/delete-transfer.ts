import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import { assertFresh, type Principal } from '../../operations/access/access.ts'
import { auditTransfer } from './audit-transfer.ts'
import { closeTransfer } from './close-transfer.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

/**
 * Deletes a transfer. Allowed for its sender, all users who may act for the id while the transfer
 * is open, its recipient, who declines it, and operators.
 */
export async function deleteTransfer(
  deps: Deps,
  caller: Principal,
  id: string,
  { reason }: OptionalReasonBody,
) {
  const { db, accounts, emojiIds, now, recipientKey } = deps
  const viewer = { recipientKey, caller }
  const actor_id = caller.user_id
  return transact(db, async (trx) => {
    const row = await transfers.findToChange(trx, id)
    const emoji_id = row?.emoji_id as EmojiId
    const ownedId = row && (await emojiIds.findOwners(trx, [emoji_id])).get(emoji_id)
    const people = ownedId ? await emojiIds.findPeopleBehind(trx, ownedId) : []
    const isOpen = row && row.accepted_at === null && row.deleted_at === null
    const isTheirs = isOpen && people.includes(actor_id)
    const isDeclined = isOpen && !isTheirs && rules.isReceiver(caller, row)
    if (isDeclined) rules.assertConfirmed(await accounts.loadAccount(actor_id, trx))
    const mayDelete = rules.isOperator(caller) || isTheirs || isDeclined
    const transfer = row && mayDelete ? row : rules.assertParty(caller, row, 'sender')
    if (!isTheirs && !rules.isParty(caller, transfer)) assertFresh(caller, 'code_or_nothing')
    const status = rules.nextStatus(transfer, 'delete')
    if (transfer.deleted_at) return rules.show(viewer, transfer)
    const by = { actor_id, reason }
    if (status === 'closed') {
      const ending = isDeclined ? 'declined' : 'deleted'
      return rules.show(viewer, (await closeTransfer(deps, trx, transfer, ending, by)) ?? transfer)
    }
    const marked = await transfers.update(trx, { id, from: status }, { deleted_at: now() })
    await auditTransfer(deps, trx, 'transfer.deleted', transfer, by)
    return rules.show(viewer, marked ?? transfer)
  })
}
