import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type BoxSales, type LoadedOrder, lapseTask, type Orders } from '../orders/orders.ts'
import type { Payments } from '../payments/payments.ts'
import { checkCapture } from './check-capture.ts'
import { creditByHand, creditReceived } from './credit-order.ts'
import {
  abandonCheckout,
  endPaymentAtProvider,
  lapseOrder,
  sweepLapsedOrders,
} from './lapse-order.ts'
import { mailRefund } from './mail-refund.ts'
import { settlePayment } from './settle-payment.ts'

export { pendingPayment } from './rules.ts'

/**
 * Whether an order costs more now than when its payment was requested, or is no longer for sale.
 */
export type PriceCheck = (trx: Transaction, late: LoadedOrder) => Promise<boolean>

export type Options = {
  db: Database
  accounts: Accounts
  removals: Removals
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: BoxSales
  payments: Payments
  orders: Orders
  notifications: Notifications
  /** The address to which buyers write against a decision. */
  appealsEmail: string
  now: () => Date
  log: Log
}

export type Deps = Options & {
  priceChecks: PriceCheck[]
}

export type Settlement = ReturnType<typeof createSettlement>

/** Applies payments to orders, in time and late, and ends unpaid orders. */
export function createSettlement(options: Options) {
  const { payments } = options
  const priceChecks: PriceCheck[] = []
  const deps: Deps = { ...options, priceChecks }
  const bind = bindTo(deps)
  payments.whenChecked(bind(settlePayment))
  payments.addCaptureCheck(bind(checkCapture))
  payments.whenRefunded(bind(mailRefund))

  return {
    ...bindUseCases(deps, {
      lapseOrder,
      endPaymentAtProvider,
      sweepLapsedOrders,
      abandonCheckout,
      creditByHand,
      creditReceived,
    }),
    /** Adds a check whether an order costs more now than when its payment was requested. */
    addPriceCheck: (isDearer: PriceCheck) => void priceChecks.push(isDearer),
  }
}

export const settlementJobs = (settlement: Settlement): JobModule => ({
  tasks: {
    [lapseTask]: (payload) => settlement.lapseOrder(idOf(payload)),
    'orders.sweep': () => settlement.sweepLapsedOrders(),
  },
  schedules: [{ task: 'orders.sweep', cron: '* * * * *' }],
})
