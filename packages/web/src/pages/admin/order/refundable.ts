import type { AdminOrder } from '../../../api/admin-orders.ts'
import type { Books } from './queries.ts'

/** The received money that can still be refunded. */
export const remainingMoneyOf = ({ entries }: Books): number =>
  entries
    .filter(({ kind }) => kind !== 'override' && kind !== 'write_off')
    .reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)

/** Whether money was received; an operator may mark an order as paid without any. */
export const hasReceivedMoney = ({ entries }: Books): boolean =>
  entries.some(({ kind }) => kind === 'payment' || kind === 'cash')

type Item = AdminOrder['order_items'][number]

/** The items that can be refunded at all. */
export const refundableOf = ({ order_items }: AdminOrder): Item[] =>
  order_items.filter(
    ({ item_type, refunded_quantity }) => item_type !== 'Discount' && refunded_quantity === 0,
  )

/** Whether the rules allow a refund; an item without payment can be taken back, too. */
export const isRefundable = ({ refund_obstacle }: Item): boolean =>
  !refund_obstacle || refund_obstacle === 'no_money'

/** The price of an item after discounts. */
export const pricePaidFor = (item: Item, { order_items }: AdminOrder): number =>
  [item, ...order_items.filter(({ parent_id }) => parent_id === item.id)].reduce(
    (sum, one) =>
      sum + one.unit_price_in_cents + one.client_fee_in_cents + one.company_fee_in_cents,
    0,
  )
