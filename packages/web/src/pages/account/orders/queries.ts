import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { wholeOrders } from '../../../api/shop.ts'

/** What orders can be looked for by; carts are no orders yet. */
export const orderStatuses = ['PendingPayment', 'Paid', 'Cancelled'] as const

type Question = {
  user_id: string
  page: number
  status: (typeof orderStatuses)[number] | undefined
}

/** What somebody ordered, the newest first. Operators say whose, or they are shown everybody's. */
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
    // Somebody may just have paid.
    staleTime: 0,
  })
