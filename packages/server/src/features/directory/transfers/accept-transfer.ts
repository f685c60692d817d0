import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import { assertActive } from '../emoji-ids/emoji-ids.ts'
import { advanceTransfer } from './advance-transfer.ts'
import { auditTransfer } from './audit-transfer.ts'
import { findReceivers } from './find-receivers.ts'
import { mailNewOwner } from './mail-new-owner.ts'
import { mailSender } from './mail-transfer-news.ts'
import { moveId } from './move-id.ts'
import { recordTransfer } from './record-event.ts'
import type { Transfer } from './repository.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { ReceiverAcceptance } from './schema.ts'
import type { Deps } from './transfers.ts'
import { withVerifiedCode } from './verify-code.ts'

/** The recipient accepts; returns the ids that moved. */
export function acceptTransfer(
  deps: Deps,
  caller: Principal,
  id: string,
  { code, shown_records, without_token = false }: ReceiverAcceptance,
) {
  const { accounts, emojiIds, removals, now } = deps
  return withVerifiedCode(
    deps,
    { caller, id, code },
    'receiver',
    async (trx, confirmedHandover) => {
      const { transfer, owned, recipient } = confirmedHandover
      const receivers = recipient ? [recipient] : await findReceivers(deps, trx, transfer)
      // Read under lock: a member who lost the power role cannot accept.
      const receiver = receivers.find((user) => user.id === caller.user_id)
      if (!receiver) throw rules.notNow('closed')
      assertActive(receiver)
      await removals.assertMayOwn(trx, receiver)
      const sender = await accounts.findAccount(transfer.sender_id, trx)
      const people = await emojiIds.findPeopleBehind(trx, owned)
      // A sender who was deactivated or lost the role in the organization cannot transfer.
      const mayGive = sender && !sender.deactivated_at && people.includes(sender.id)
      if (!mayGive) throw rules.notNow('closed')
      if (shown_records) await assertShown(deps, trx, transfer, shown_records)
      const token = await assertTokenKnown(trx, transfer, receiver.id, without_token)
      const change = { accepted_at: now(), code_hmac: null }
      const acceptedTransfer = await advanceTransfer(trx, transfer, 'receiver_accept', change)
      await moveId(deps, trx, { ...confirmedHandover, transfer: acceptedTransfer }, sender.id)
      await mailSender(deps, trx, sender, acceptedTransfer)
      await mailNewOwner(deps, trx, acceptedTransfer, receivers, { by: 'sender', is_new: false })
      await auditTransfer(deps, trx, 'transfer.accepted', acceptedTransfer, {
        actor_id: caller.user_id,
        ...token,
      })
      await recordTransfer(deps, trx, 'transfer.accepted', acceptedTransfer, confirmedHandover)
      return [acceptedTransfer.emoji_id]
    },
  )
}

/**
 * A token has one right of disposal: it is with the recipient, or the recipient knows that it is
 * not. Returns the note for the audit log.
 */
export async function assertTokenKnown(
  trx: Transaction,
  { emoji_id }: Pick<Transfer, 'emoji_id'>,
  user_id: string | null,
  isConfirmed: boolean,
): Promise<{ without_token?: true }> {
  const isElsewhere = (await transfers.findTokensElsewhere(trx, [emoji_id], user_id)).size > 0
  if (isElsewhere && !isConfirmed) throw rules.tokenStays()
  return isElsewhere ? { without_token: true } : {}
}

/** The sender may change the records until the recipient accepts. */
async function assertShown(
  { records }: Deps,
  trx: Transaction,
  { emoji_id, clear_on_transfer }: Transfer,
  shown: readonly string[],
): Promise<void> {
  if (clear_on_transfer) return
  const { records: current } = await records.loadRecords(trx, emoji_id as EmojiId)
  const hashes = new Set(current.map(({ hash }) => hash))
  const isSame = hashes.size === new Set(shown).size && shown.every((hash) => hashes.has(hash))
  if (!isSame) throw rules.changedRecords()
}
