import { bindUseCases } from '../../../platform/bind.ts'
import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { DisputeProvider } from '../../../platform/payments/gateway.ts'
import type { Database } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Transfers } from '../../directory/transfers/transfers.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { BoxSales, Orders } from '../orders/orders.ts'
import { disputeTask, type Purchases } from '../purchases/purchases.ts'
import { leaveIds, takeBackIds } from './decide-dispute.ts'
import { listDisputes, showDispute } from './read-disputes.ts'
import { reviewAllDisputes, reviewDisputes } from './review-disputes.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  organizations: Organizations
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: BoxSales
  orders: Orders
  gateways: { card?: DisputeProvider | undefined }
  purchases: Purchases
  transfers: Transfers
  notifications: Notifications
  audit: Audit
  events: Events
  now: () => Date
  webUrl: string
}

export type Disputes = ReturnType<typeof createDisputes>

/**
 * Applies a disputed payment to its order. Lock order: the order, its boxes, its ids. So a box is
 * opened or an id transferred either before or after, never in between.
 */
export function createDisputes(deps: Deps) {
  return bindUseCases(deps, {
    listDisputes,
    showDispute,
    takeBackIds,
    leaveIds,
    reviewDisputes,
    reviewAllDisputes,
  })
}

export const disputeJobs = (disputes: Disputes): JobModule => ({
  tasks: {
    [disputeTask]: (payload) => disputes.reviewDisputes(idOf(payload)),
    'payments.disputes': () => disputes.reviewAllDisputes(),
  },
  schedules: [{ task: 'payments.disputes', cron: '17 * * * *' }],
})
