import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Links } from '../../identity/links/links.ts'
import type { Mailbox } from '../../identity/mailbox/mailbox.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { SecondFactor } from '../../identity/second-factor/second-factor.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Records } from '../records/records.ts'
import { acceptTransfer } from './accept-transfer.ts'
import {
  closeExpiredTransfers,
  closeTransferOfId,
  closeTransfersOfSender,
  forgetUserInTransfers,
} from './close-transfer.ts'
import { confirmTransfer } from './confirm-transfer.ts'
import { deleteTransfer } from './delete-transfer.ts'
import { declineGift, joinByGift, previewGift } from './open-gift.ts'
import {
  hasOpenTransfer,
  listAcceptedTransfers,
  listIncomingFor,
  listIncomingOf,
  listNewestOutgoing,
  listOutgoing,
  listPendingIds,
} from './read-transfers.ts'
import { requestTransfer } from './request-transfer.ts'
import { resendCode } from './resend-code.ts'
import { confirmByOffer } from './verify-code.ts'

export { receivedAt } from './repository.ts'
export { TransferList, TransferPage } from './schema.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  keys: Keys
  links: Links
  mailbox: Mailbox
  records: Records
  removals: Removals
  secondFactor: SecondFactor
  notifications: Notifications
  audit: Audit
  events: Events
  now: () => Date
  webUrl: string
  /** Codes are stored as HMACs under this key. */
  codeKey: Buffer
  /** Derives the ids of recipients that senders see. */
  recipientKey: Buffer
}

export type Transfers = ReturnType<typeof createTransfers>

/**
 * Transfers an id to a new owner: both sides confirm with a code, then everything moves in one
 * transaction. Lock order against deadlocks: the id, accounts, the transfer.
 */
export function createTransfers(deps: Deps) {
  const bind = bindTo(deps)
  const { emojiIds, accounts } = deps
  emojiIds.whenEmptied((trx, id) => closeTransferOfId(deps, trx, id, 'id_gone', { actor_id: null }))
  accounts.beforeDeletion(bind(forgetUserInTransfers))
  accounts.whenDisowned((trx, user_id) =>
    closeTransfersOfSender(deps, trx, user_id, 'account_gone'),
  )
  // An intruder may have started these transfers.
  accounts.whenRevoked((trx, user_id) => closeTransfersOfSender(deps, trx, user_id, 'revoked'))

  return {
    ...bindUseCases(deps, {
      requestTransfer,
      confirmTransfer,
      acceptTransfer,
      resendCode,
      confirmByOffer,
      deleteTransfer,
      listOutgoing,
      listNewestOutgoing,
      listIncomingFor,
      listIncomingOf,
      listAcceptedTransfers,
      listPendingIds,
      closeExpiredTransfers,
      previewGift,
      declineGift,
    }),
    joinByGift: bind(joinByGift),
    hasOpenTransfer,
  }
}

export const transferJobs = (transfers: Transfers): JobModule => ({
  tasks: { 'transfers.sweep': () => transfers.closeExpiredTransfers() },
  schedules: [{ task: 'transfers.sweep', cron: '*/5 * * * *' }],
})
