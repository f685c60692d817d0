import { bindUseCases } from '../../../platform/bind.ts'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import { type Budget, createBudget } from '../../../platform/http/limits.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Offer } from '../../directory/catalog/catalog.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Codes } from '../codes/codes.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { addDiscounts, moveOrder, updateItems, updateOrder } from './change-order.ts'
import { chargeItems } from './charge-items.ts'
import { listOrders } from './list-orders.ts'
import {
  createCart,
  findCurrentCart,
  findLapsedOrders,
  findOrder,
  loadCurrentCart,
  loadToChange,
} from './load-order.ts'
import * as orders from './repository.ts'
import * as rules from './rules.ts'
import { resendReceipt, sendReceipt } from './send-receipt.ts'
import { showOrder, showOrderBooks, showOrderTo } from './show-order.ts'

export { orderCosts } from './charge-items.ts'
export { boxesIn } from './load-order.ts'
export { recordOrderEvent } from './record-event.ts'
export type { ItemPrice, LoadedOrder, Order, OrderItem } from './repository.ts'
export {
  assertNotOwn,
  clientFeeLeftOf,
  coolingEnd,
  discountItems,
  dueOf,
  isBox,
  isDisputed,
  isId,
  isLapsed,
  isMoneySeen,
  isOfCheckout,
  isRefundTime,
  netPriceOf,
  notPaid,
  notPending,
  openAttemptOf,
  orderNumber,
  priceOfItem,
  type Snapshot,
  shortfallForgiven,
  snapshotOf,
  totalOf,
  unknownOrder,
  withEntries,
} from './rules.ts'
export {
  type CloseReason,
  DisplayOrder,
  FlowPartner,
  OrderParams,
  type Provider,
  type ProviderMethod,
  TrackingData,
} from './schema.ts'
export { openObject, rewrapObject, sealObject } from './seal-payment.ts'

export type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  organizations: Organizations
  codes: Codes
  ledger: Ledger
  lootboxSales: BoxSales
  notifications: Notifications
  audit: Audit
  events: Events
  sealer: Sealer
  now: () => Date
}

/**
 * Showing and listing orders, adding items and checking out: a network has a burst of two seconds, then 0.3 of a
 * core. That is 37 buyers whose page asks every two seconds for an order of 100 items. An export of 5,000 orders
 * of one item each takes half of the burst.
 */
const rates = {
  each: { atOnce: 20_000, perSecond: 3_000 },
  all: { atOnce: 60_000, perSecond: 10_000 },
}

export type Deps = Options & { work: Budget }

type Holder = { order_id: string; expires_at: Date }

type Buyer = { id: string; user_id: string }

type SoldBox = {
  id: string
  status: 'Draft' | 'Available' | 'Owned' | 'Used'
  order_id: string | null
  frozen_at: Date | null
  yats: string[]
}

/**
 * The shop's interface to lootboxes. The lootboxes wing implements it, so that the shop does not
 * import it.
 */
export type BoxSales = {
  /** The price of boxes, and whether they are available now. */
  showOffers(ids: readonly string[]): Promise<Map<string, Offer>>
  /** The current prices; null for boxes that are not for sale. */
  findPrices(from: Database, ids: readonly string[]): Promise<Map<string, number | null>>
  holdLootboxes(
    trx: Transaction,
    holder: Holder,
    ids: readonly string[],
  ): Promise<Map<string, Offer>>
  extendHolds(trx: Transaction, order_id: string, until: Date): Promise<unknown>
  releaseHolds(trx: Transaction, order_id: string): Promise<unknown>
  /** Grants the held boxes to the buyer; returns false if a wanted box is not held. */
  grantHeldLootboxes(trx: Transaction, buyer: Buyer, ids: readonly string[]): Promise<boolean>
  /** Returns false if the buyer opened the box or no longer owns it. */
  takeBackLootbox(trx: Transaction, buyer: Buyer, id: string): Promise<boolean>
  /** Freezes or unfreezes the unopened boxes of an order. */
  setFrozen(trx: Transaction, order_id: string, frozen_at: Date | null): Promise<unknown>
  findLootboxes(from: Database, ids: readonly string[]): Promise<SoldBox[]>
  /** The names of boxes on receipts. */
  nameLootboxes(from: Database, ids: readonly string[]): Promise<Map<string, string>>
  findLootboxOwners(
    from: Database,
    ids: readonly string[],
  ): Promise<Map<string, { user_id: string | null; order_id: string | null; opened: boolean }>>
}

export type Orders = ReturnType<typeof createOrders>

/** The rows of carts and orders: load, show and list them. A purchase changes them. */
export function createOrders(options: Options) {
  const { accounts } = options
  const work = createBudget('orders', rates)
  const deps: Deps = { ...options, work }
  accounts.beforeDeletion(refuseDeletionOfBuyer)

  return {
    ...bindUseCases(deps, {
      showOrder,
      loadCurrentCart,
      findOrder,
      findCurrentCart,
      moveOrder,
      updateOrder,
      updateItems,
      addDiscounts,
      createCart,
      findLapsedOrders,
      listOrders,
      showOrderTo,
      showOrderBooks,
      sendReceipt,
      resendReceipt,
      chargeItems,
    }),
    work,
    loadToChange,
    loadOrders: orders.load,
    findOpenRequests: orders.findOpenRequests,
    insertItems: orders.insertItems,
    updateItem: orders.updateItem,
    removeItems: orders.removeItems,
    removeDiscounts: orders.removeDiscounts,
  }
}

/** An account with a pending order cannot be deleted. */
async function refuseDeletionOfBuyer(trx: Transaction, user_id: string): Promise<void> {
  const [pending] = await orders.findPending(trx, user_id)
  if (pending) throw rules.pendingOrder()
}
