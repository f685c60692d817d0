import { type EmojiId, toDisplayFormat } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { type AuditDetails, auditTransfer } from './audit-transfer.ts'
import { findReceivers } from './find-receivers.ts'
import { mailTransferNews } from './mail-transfer-news.ts'
import type { Transfer } from './repository.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

type ClosedBy = Pick<AuditDetails, 'actor_id' | 'reason'>

const batchSize = 200

/**
 * Closes an open transfer. Emails sender and recipient, except the user who closed it and a
 * recipient who was never notified.
 */
export async function closeTransfer(
  deps: Deps,
  trx: Transaction,
  transfer: Transfer,
  ending: rules.Ending,
  { actor_id, reason }: ClosedBy,
): Promise<Transfer | undefined> {
  const { now, accounts } = deps
  const { id, status, sender_id, emoji_id } = transfer
  const end = { status: rules.nextStatus(transfer, 'close'), deleted_at: now() }
  const from = { id, from: status }
  const closedTransfer = await transfers.update(trx, from, { ...end, code_hmac: null })
  if (!closedTransfer) return undefined
  await auditTransfer(deps, trx, 'transfer.closed', transfer, { actor_id, ending, reason })
  const sentence = rules.endingOf(ending, toDisplayFormat(emoji_id))
  const isKnown =
    (status === 'awaiting_receiver' && !rules.isSilent(transfer)) || ending === 'too_old'
  const receivers = await findReceivers(deps, trx, transfer)
  const people = new Set([sender_id, ...receivers.map((user) => user.id)])
  for (const user of await accounts.findAccounts(trx, [...people])) {
    // A forced transfer emails the former owner separately.
    const isTold = user.id === sender_id ? ending !== 'forced' : isKnown
    if (isTold && user.id !== actor_id) await mailTransferNews(deps, trx, user, transfer, sentence)
  }
  return closedTransfer
}

export async function closeTransferOfId(
  deps: Deps,
  trx: Transaction,
  id: EmojiId,
  ending: rules.Ending,
  by: ClosedBy,
) {
  const open = await transfers.findOpenOfId(trx, id)
  if (open) await closeTransfer(deps, trx, open, ending, by)
}

export async function forgetUserInTransfers(deps: Deps, trx: Transaction, user_id: string) {
  for (const open of await transfers.findOpenOfUser(trx, user_id)) {
    await closeTransfer(deps, trx, open, 'account_gone', { actor_id: user_id })
  }
  await transfers.forgetPerson(trx, user_id)
}

export async function closeTransfersOfSender(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  ending: rules.Ending,
) {
  for (const open of await transfers.findOpenOfSender(trx, user_id)) {
    await closeTransfer(deps, trx, open, ending, { actor_id: user_id })
  }
}

/** Closes transfers that were not completed in time. */
export async function closeExpiredTransfers(deps: Deps): Promise<void> {
  const { db, now } = deps
  const old = await transfers.findOpenSince(db, rules.openSince(now()), batchSize)
  for (const transfer of old) {
    await transact(db, (trx) => closeTransfer(deps, trx, transfer, 'too_old', { actor_id: null }))
  }
}
