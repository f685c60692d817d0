import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { advanceTransfer, countWrongCode } from './advance-transfer.ts'
import { auditTransfer } from './audit-transfer.ts'
import {
  closeExpiredTransfers,
  closeTransfer,
  closeTransferOfId,
  closeTransfersOfSender,
  forgetUserInTransfers,
} from './close-transfer.ts'
import { deleteTransfer } from './delete-transfer.ts'
import type { Deps } from './deps.ts'
import {
  mailColleagues,
  mailFormerOwners,
  mailInvitation,
  mailRecipient,
  mailSender,
} from './mail-transfer-news.ts'
import {
  hasOpenTransfer,
  listHandedOn,
  listIncoming,
  listNewestOutgoing,
  listOutgoing,
  listPendingIds,
} from './read-transfers.ts'
import * as transfers from './repository.ts'

export type Transfers = ReturnType<typeof createTransfers>

/**
 * The rows of transfers: list, advance, close. The feature handovers moves the ids. Rows are locked
 * in this order, so that no two transactions deadlock: the id, accounts, the transfer.
 */
export function createTransfers(deps: Deps) {
  const bind = bindTo(deps)
  const { emojiIds, accounts, db } = deps
  emojiIds.whenEmptied((trx, id) => closeTransferOfId(deps, trx, id, 'id_gone', { actor_id: null }))
  accounts.beforeDeletion(bind(forgetUserInTransfers))
  accounts.whenDisowned((trx, user_id) =>
    closeTransfersOfSender(deps, trx, user_id, 'account_gone'),
  )
  // An intruder may have started these transfers.
  accounts.whenRevoked((trx, user_id) => closeTransfersOfSender(deps, trx, user_id, 'revoked'))

  return {
    ...bindUseCases(deps, {
      auditTransfer,
      closeTransfer,
      closeTransferOfId,
      countWrongCode,
      mailColleagues,
      mailInvitation,
      mailRecipient,
      mailSender,
      mailFormerOwners,
      listOutgoing,
      listNewestOutgoing,
      listIncoming,
      listHandedOn,
      listPendingIds,
      deleteTransfer,
      closeExpiredTransfers,
    }),
    advanceTransfer,
    findTransfer: (id: string) => transfers.find(db, id),
    findTransferToChange: transfers.findToChange,
    /** Returns undefined if the id has another open transfer. */
    insertTransfer: transfers.insert,
    updateTransfer: transfers.update,
    countBegunSince: transfers.countBegun,
    countBegunTo: transfers.countTo,
    hasOpenTransfer,
  }
}
