import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { queries } from './query-client.ts'
import type { AnswerOf } from './shapes.ts'

export type Order = AnswerOf<'getCart'>
export type Item = Order['order_items'][number]
export type Lootbox = AnswerOf<'showLootBox'>
type ListedPage = AnswerOf<'listOrders'>

/** Buyers and operators get full orders; only partner sales omit members. */
export const wholeOrders = (page: ListedPage) =>
  page as Omit<ListedPage, 'data'> & { data: Order[] }

export const cartQuery = queryOptions({
  queryKey: ['cart'],
  queryFn: () => unwrap(api.GET('/cart')),
})

/** Caches the cart after a change and cancels older requests, whose responses would be stale. */
export async function cacheCart(cart: Order): Promise<void> {
  await queries.cancelQueries(cartQuery)
  queries.setQueryData(cartQuery.queryKey, cart)
}

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', id],
    queryFn: () => unwrap(api.GET('/orders/{id}', { params: { path: { id } } })),
  })

/** The bought items without the discount lines. */
export const goodsOf = <Goods extends { item_type: string }>({
  order_items,
}: {
  order_items: Goods[]
}): Goods[] => order_items.filter(({ item_type }) => item_type !== 'Discount')

export const discountOf = (item: Item, { order_items }: Order): number =>
  order_items
    .filter(({ parent_id }) => parent_id === item.id)
    .reduce((sum, { unit_price_in_cents }) => sum - unit_price_in_cents, 0)

/** The items that are still available. */
export const buyableOf = (order: Order): Item[] =>
  goodsOf(order).filter(({ marked_invalid_at_reason }) => !marked_invalid_at_reason)

/** The items that the buyer still owns. */
export const ownedItemsOf = (order: Order): Item[] =>
  goodsOf(order).filter(
    ({ refund_obstacle }) => refund_obstacle !== 'refunded' && refund_obstacle !== 'not_owned',
  )

/** Whether a refund request is pending. */
export const isRefundPending = ({ refund_requested_at, refund_answered_at }: Order): boolean =>
  refund_requested_at !== null && refund_answered_at === null

/** The amount received so far. */
export const receivedOf = ({ total_in_cents, remaining_due_in_cents }: Order): number =>
  total_in_cents - remaining_due_in_cents

export const feesOf = ({ client_fee_in_cents, company_fee_in_cents }: Item): number =>
  client_fee_in_cents + company_fee_in_cents
