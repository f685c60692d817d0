import type { Principal } from '../../operations/access/access.ts'
import { assertCanLeave, assertOwns } from '../emoji-ids/emoji-ids.ts'
import { advanceTransfer } from './advance-transfer.ts'
import { auditTransfer } from './audit-transfer.ts'
import { findReceivers } from './find-receivers.ts'
import { mailColleagues } from './mail-transfer-news.ts'
import { recordTransfer } from './record-event.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import { sendCode } from './send-code.ts'
import type { Deps } from './transfers.ts'
import { withVerifiedCode } from './verify-code.ts'

/** The sender confirms; the recipient is next and gets a code. */
export function confirmTransfer(deps: Deps, caller: Principal, id: string, input: string) {
  const { now, recipientKey } = deps
  return withVerifiedCode(
    deps,
    { caller, id, code: input },
    'sender',
    async (trx, confirmedHandover) => {
      const { transfer, owned, recipient } = confirmedHandover
      assertOwns(caller, owned)
      assertCanLeave(owned, now(), 'eid')
      if (recipient) rules.assertMayReceive(transfer, recipient)
      const receivers = recipient ? [recipient] : await findReceivers(deps, trx, transfer)
      // Silent: a refusal would tell that a key and a mailbox belong to one account.
      const endedSince = new Date(now().getTime() - rules.endedWithinMs)
      const endedCount = await transfers.countEndedOfRecipient(trx, transfer, endedSince)
      const code =
        endedCount < rules.endedAtMost
          ? await sendCode(deps, trx, transfer, 'receiver', receivers)
          : rules.silentCode
      const change = { ...code, tries: 0, sender_code_accepted_at: now() }
      const confirmedTransfer = await advanceTransfer(trx, transfer, 'sender_accept', change)
      await auditTransfer(deps, trx, 'transfer.confirmed', confirmedTransfer, {
        actor_id: caller.user_id,
      })
      await recordTransfer(deps, trx, 'transfer.offered', confirmedTransfer, confirmedHandover)
      await mailColleagues(deps, trx, confirmedTransfer, owned)
      return rules.show({ recipientKey, caller }, confirmedTransfer)
    },
  )
}
