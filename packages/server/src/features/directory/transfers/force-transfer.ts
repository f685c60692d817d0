import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import { type AuditDetails, auditTransfer } from './audit-transfer.ts'
import { closeTransferOfId } from './close-transfer.ts'
import { findReceivers } from './find-receivers.ts'
import { mailNewOwner, type NewRow } from './mail-new-owner.ts'
import { mailFormerOwners } from './mail-transfer-news.ts'
import { type Handover, moveId } from './move-id.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

export async function forceTransfer(
  deps: Deps,
  trx: Transaction,
  row: NewRow,
  { owned, recipient, isNew }: Omit<Handover, 'transfer'> & { isNew: boolean },
  { actor_id, reason, ...token }: AuditDetails & { actor_id: string },
) {
  const { emojiIds } = deps
  const people = await emojiIds.findPeopleBehind(trx, owned)
  await closeTransferOfId(deps, trx, owned.emoji_id as EmojiId, 'forced', { actor_id, reason })
  const transfer = await transfers.insert(trx, {
    ...row,
    status: 'accepted',
    accepted_at: row.created_at,
    code_hmac: null,
    code_sent_at: null,
  })
  if (!transfer) throw rules.alreadyOpen()
  await moveId(deps, trx, { transfer, owned, recipient }, actor_id)
  await mailFormerOwners(deps, trx, people, transfer)
  const receivers = recipient ? [recipient] : await findReceivers(deps, trx, transfer)
  await mailNewOwner(deps, trx, transfer, receivers, { by: 'operator', is_new: isNew })
  await auditTransfer(deps, trx, 'transfer.forced', transfer, { actor_id, reason, ...token })
  return transfer
}
