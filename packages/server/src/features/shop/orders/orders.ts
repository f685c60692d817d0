import { bindUseCases } from '../../../platform/bind.ts'
import { cancelOrder } from './cancel-order.ts'
import { addDiscounts, createCart, updateOrder } from './change-order.ts'
import { chargeItems, chargePage } from './charge-items.ts'
import type { Deps, Options } from './deps.ts'
import { returnToDraft } from './draft-order.ts'
import { fulfilOrder, reserveCodes } from './fulfil-order.ts'
import { findLapsedOrders, forgetHoldTimes, holdOrderUntil, moveToPending } from './hold-order.ts'
import { createLimits } from './limits.ts'
import { listOrders } from './list-orders.ts'
import {
  findCurrentCart,
  findOrder,
  loadCurrentCart,
  loadItems,
  loadOrderToChange,
  loadSums,
} from './load-order.ts'
import { refuseDeletionOfBuyer } from './refuse-deletion.ts'
import * as orders from './repository.ts'
import { resendReceipt } from './send-receipt.ts'
import { showOrder, showOrderBooks, showOrderTo } from './show-order.ts'

export type { BoxSales } from './deps.ts'
export { lapseTask } from './hold-order.ts'
export { costs as orderCosts } from './limits.ts'
export { recordOrderEvent } from './record-event.ts'
export type { LoadedOrder, Order, OrderItem } from './repository.ts'
export {
  assertNotOwn,
  clientFeeLeftOf,
  coolingEnd,
  dueOf,
  isBox,
  isId,
  isLapsed,
  isRefundTime,
  netPriceOf,
  notPaid,
  notPending,
  orderNumber,
  priceOfItem,
  type Snapshot,
  shortfallForgiven,
  snapshotOf,
  totalOf,
  unknownOrder,
} from './rules.ts'
export { DisplayOrder, FlowPartner, OrderParams, TrackingData } from './schema.ts'

export type Orders = ReturnType<typeof createOrders>

/**
 * Carts and orders: load, show, hold, and move between states. Checkout and settlement decide when.
 */
export function createOrders(options: Options) {
  const { accounts } = options
  const limits = createLimits()
  const deps: Deps = { ...options, limits }
  accounts.beforeDeletion(refuseDeletionOfBuyer)

  return {
    ...bindUseCases(deps, {
      loadSums,
      showOrder,
      loadCurrentCart,
      returnToDraft,
      findOrder,
      findCurrentCart,
      updateOrder,
      addDiscounts,
      createCart,
      moveToPending,
      reserveCodes,
      holdOrderUntil,
      fulfilOrder,
      cancelOrder,
      findLapsedOrders,
      forgetHoldTimes,
      listOrders,
      showOrderTo,
      showOrderBooks,
      resendReceipt,
      chargeItems,
      chargePage,
    }),
    limits,
    loadItems,
    loadOrderToChange,
    findOpenRequests: orders.findOpenRequests,
    insertItems: orders.insertItems,
    updateItem: orders.updateItem,
    removeItems: orders.removeItems,
  }
}
