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
      note: auditTransfer,
      close: closeTransfer,
      closeOf: closeTransferOfId,
      countWrong: countWrongCode,
      tellColleagues: mailColleagues,
      tellInvited: mailInvitation,
      tellReceived: mailRecipient,
      tellGiven: mailSender,
      tellTaken: mailFormerOwners,
      outgoing: listOutgoing,
      newestOf: listNewestOutgoing,
      incoming: listIncoming,
      handedOn: listHandedOn,
      pendingIds: listPendingIds,
      remove: deleteTransfer,
      sweep: closeExpiredTransfers,
    }),
    step: advanceTransfer,
    find: (id: string) => transfers.find(db, id),
    findToChange: transfers.findToChange,
    /** Returns undefined if the id has another open transfer. */
    insert: transfers.insert,
    update: transfers.update,
    begunSince: transfers.countBegun,
    begunTo: transfers.countTo,
    isOpen: hasOpenTransfer,
  }
}
