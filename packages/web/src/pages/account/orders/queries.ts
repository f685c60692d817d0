import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { wholeOrders } from '../../../api/shop.ts'

/** The states a buyer can filter by; a cart is not an order yet. */
export const orderStatuses = ['PendingPayment', 'Paid', 'Cancelled'] as const

type Question = {
  user_id: string
  page: number
  status: (typeof orderStatuses)[number] | undefined
}

/** The orders of the account, newest first. Filters by buyer, because operators would get all orders. */
export const ownOrderPageQuery = ({ user_id, page, status }: Question) =>
  queryOptions({
    queryKey: ['orders', 'page', user_id, page, status],
    queryFn: async () =>
      wholeOrders(
        await unwrap(
          api.GET('/orders', {
            params: {
              query: { user_id, page, limit: 20, placed: true, ...(status && { status }) },
            },
          }),
        ),
      ),
    placeholderData: keepPreviousData,
    // The buyer may just have paid.
    staleTime: 0,
  })
