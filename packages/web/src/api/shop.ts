import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { queries } from './query-client.ts'
import type { AnswerOf } from './shapes.ts'

export type Order = AnswerOf<'getCart'>
export type Item = Order['order_items'][number]
type ListedPage = AnswerOf<'listOrders'>

/** Buyers and operators get whole orders; only the sales of a partner leave members out. */
export const wholeOrders = (page: ListedPage) =>
  page as Omit<ListedPage, 'data'> & { data: Order[] }

export const cartQuery = queryOptions({
  queryKey: ['cart'],
  queryFn: () => unwrap(api.GET('/cart')),
})

/** Takes the cart as it is after a change. Whoever asked for it before the change knows less. */
export async function keepCart(cart: Order): Promise<void> {
  await queries.cancelQueries(cartQuery)
  queries.setQueryData(cartQuery.queryKey, cart)
}

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', id],
    queryFn: () => unwrap(api.GET('/orders/{id}', { params: { path: { id } } })),
  })

/** What is bought: discounts stand beside what they are taken off. */
export const goodsOf = <Goods extends { item_type: string }>({
  order_items,
}: {
  order_items: Goods[]
}): Goods[] => order_items.filter(({ item_type }) => item_type !== 'Discount')

export const discountOf = (item: Item, { order_items }: Order): number =>
  order_items
    .filter(({ parent_id }) => parent_id === item.id)
    .reduce((sum, { unit_price_in_cents }) => sum - unit_price_in_cents, 0)

/** What can be bought of it; the rest is marked. */
export const buyableOf = (order: Order): Item[] =>
  goodsOf(order).filter(({ marked_invalid_at_reason }) => !marked_invalid_at_reason)

/** What of it the buyer still has. */
export const keptOf = (order: Order): Item[] =>
  goodsOf(order).filter(
    ({ refund_obstacle }) => refund_obstacle !== 'refunded' && refund_obstacle !== 'not_owned',
  )

/** Whether the buyer asked for the money back and nobody has answered yet. */
export const isRefundAsked = ({ refund_requested_at, refund_answered_at }: Order): boolean =>
  refund_requested_at !== null && refund_answered_at === null

/** What has arrived of the price. */
export const receivedOf = ({ total_in_cents, remaining_due_in_cents }: Order): number =>
  total_in_cents - remaining_due_in_cents

export const feesOf = ({ client_fee_in_cents, company_fee_in_cents }: Item): number =>
  client_fee_in_cents + company_fee_in_cents
