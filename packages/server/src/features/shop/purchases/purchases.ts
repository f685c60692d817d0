import { bindUseCases } from '../../../platform/bind.ts'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Log } from '../../../platform/log/log.ts'
import type {
  CardProvider,
  DisputeProvider,
  PaymentProvider,
  RefundProvider,
} from '../../../platform/payments/gateway.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Catalog } from '../../directory/catalog/catalog.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Codes } from '../codes/codes.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type BoxSales, type Orders, rewrapObject } from '../orders/orders.ts'
import type { SavedCards } from '../saved-cards/saved-cards.ts'
import { applyCode, removeCode, useRandomCode } from './apply-code.ts'
import {
  checkTask,
  disputeTask,
  findAttempt,
  queueDisputes,
  reconcilePayments,
} from './attempts.ts'
import { checkPayment } from './check-attempt.ts'
import { checkOut } from './check-out.ts'
import { addItems, clearCart, convertToDraft, hasItems, removeItem, showCart } from './fill-cart.ts'
import { creditByHand } from './grant.ts'
import { lapseTask } from './hold-items.ts'
import { lapseOrder, sweepLapsedOrders } from './lapse.ts'
import { receiveEvent } from './receive-event.ts'
import * as attempts from './repository.ts'

export { assertPaidForGood } from './assert-paid-for-good.ts'
export { disputeTask, findGateway } from './attempts.ts'
export { ItemsGone } from './grant.ts'
export { isOver } from './payment-rules.ts'

type RefundChecks = Pick<RefundProvider, 'hasFailed'>

type PurchaseGateways = {
  card?: (CardProvider & RefundChecks & Pick<DisputeProvider, 'attemptOf'>) | undefined
  crypto?: (PaymentProvider & RefundChecks) | undefined
}

export type Deps = {
  db: Database
  accounts: Accounts
  audit: Audit
  catalog: Catalog
  codes: Codes
  emojiIds: EmojiIds
  events: Events
  gateways: PurchaseGateways
  ledger: Ledger
  lootboxSales: BoxSales
  notifications: Notifications
  orders: Orders
  organizations: Organizations
  removals: Removals
  savedCards: SavedCards
  sealer: Sealer
  now: () => Date
  log: Log
  /** The address to which buyers write against a decision. */
  appealsEmail: string
  companyFeePercent: number
  holdMs: number
  freeCeiling: number
  /** Checkouts above this many cents require a fresh code of buyers with a second factor. */
  secondFactorAbove: number
  /** Operators may not book cash for their own orders. */
  cashFourEyes: boolean
  /** Keeps draws unpredictable. */
  drawKey: Uint8Array
}

export type Purchases = ReturnType<typeof createPurchases>

/**
 * An order from cart to paid: its items, their hold, the attempts to pay it, and the money that
 * arrives in time or late.
 */
export function createPurchases(deps: Deps) {
  return bindUseCases(deps, {
    showCart,
    addItems,
    removeItem,
    clearCart,
    convertToDraft,
    hasItems,
    checkOut,
    applyCode,
    removeCode,
    useRandomCode,
    receiveEvent,
    checkPayment,
    reconcilePayments,
    lapseOrder,
    sweepLapsedOrders,
    creditByHand,
    queueDisputes,
    findAttempt,
  })
}

/** Rewraps the payment secrets of attempts with the current master key; returns how many. */
export const rewrapPayments = (db: Database, sealer: Sealer): Promise<number> =>
  attempts.rewrap(db, (id, sealed) => rewrapObject({ sealer }, { id, sealed }))

export const purchaseJobs = (purchases: Purchases): JobModule => ({
  tasks: {
    [checkTask]: (payload) => purchases.checkPayment(idOf(payload)),
    [lapseTask]: (payload) => purchases.lapseOrder(idOf(payload)),
    'payments.reconcile': () => purchases.reconcilePayments(),
    'orders.sweep': () => purchases.sweepLapsedOrders(),
  },
  schedules: [
    { task: 'payments.reconcile', cron: '* * * * *' },
    { task: 'orders.sweep', cron: '* * * * *' },
  ],
})

/** Operators cannot remove these jobs: an event of a provider must not be lost. */
const notRemovable = {
  isKept: true,
  about: async (_trx: Transaction, payload: unknown) => ({ attempt_id: idOf(payload) }),
}
export const purchaseTaskRules = { [checkTask]: notRemovable, [disputeTask]: notRemovable }
