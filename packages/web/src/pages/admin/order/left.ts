import type { AdminOrder } from '../../../api/admin-orders.ts'
import type { Books } from './queries.ts'

/** How much of what really came can still be given back. */
export const leftOf = ({ entries }: Books): number =>
  entries
    .filter(({ kind }) => kind !== 'override' && kind !== 'write_off')
    .reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)

/** Whether anybody paid; an order may also be taken as paid. */
export const isMoneyIn = ({ entries }: Books): boolean =>
  entries.some(({ kind }) => kind === 'payment' || kind === 'cash')

type Item = AdminOrder['order_items'][number]

/** What can be given back at all. */
export const refundableOf = ({ order_items }: AdminOrder): Item[] =>
  order_items.filter(
    ({ item_type, refunded_quantity }) => item_type !== 'Discount' && refunded_quantity === 0,
  )

/** Whether an item comes back by the rules; without money it may be taken back, too. */
export const isByRules = ({ refund_obstacle }: Item): boolean =>
  !refund_obstacle || refund_obstacle === 'no_money'

/** What an item cost, with what was taken off. */
export const paidFor = (item: Item, { order_items }: AdminOrder): number =>
  [item, ...order_items.filter(({ parent_id }) => parent_id === item.id)].reduce(
    (sum, one) =>
      sum + one.unit_price_in_cents + one.client_fee_in_cents + one.company_fee_in_cents,
    0,
  )
