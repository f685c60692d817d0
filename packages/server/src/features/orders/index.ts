export { orderRoutes } from './routes.ts'
export {
  assertNotOwn,
  clientFeeLeftOf,
  dueOf,
  isBox,
  isId,
  isLapsed,
  isRefundTime,
  NotPaidError,
  netPriceOf,
  orderNumber,
  priceOfItem,
  type Snapshot,
  shortfallForgiven,
  snapshotOf,
  totalOf,
  UnknownOrderError,
} from './rules.ts'
export { DisplayOrder, OrderParams } from './schema.ts'
export { createOrders, lapseTask, type Orders } from './service.ts'
export type { Order, OrderItem } from './table.ts'
