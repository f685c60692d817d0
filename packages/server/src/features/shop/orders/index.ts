export type { BoxSales } from './deps.ts'
export { lapseTask } from './hold-order.ts'
export { costs as orderCosts } from './limits.ts'
export { createOrders, type Orders } from './orders.ts'
export { recordOrderEvent } from './record-event.ts'
export { orderBookRoutes, orderRoutes } from './routes.ts'
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
export { DisplayOrder, OrderParams } from './schema.ts'
export type { LoadedOrder, Order, OrderItem } from './table.ts'
