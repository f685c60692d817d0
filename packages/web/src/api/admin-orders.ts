import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { accountQuery, isAdmin } from './account.ts'
import { api, unwrap } from './client.ts'
import { omitEmpty } from './omit-empty.ts'
import { Problem } from './problem.ts'
import { queries } from './query-client.ts'
import type { AnswerOf } from './shapes.ts'
import { wholeOrders } from './shop.ts'

export const orderStates = ['Draft', 'PendingPayment', 'Paid', 'Cancelled'] as const
export const requestStates = ['open', 'handled'] as const

export type AdminOrder = AnswerOf<'getOrder'>

type Question = {
  page: number
  limit?: number
  q?: string | undefined
  status?: (typeof orderStates)[number] | undefined
  refund_request?: (typeof requestStates)[number] | undefined
  from?: string | undefined
  to?: string | undefined
  user_id?: string | undefined
  emoji_id?: string | undefined
}

/** Every account has an empty cart; only the filter for carts includes those. */
export const orderFilters = (question: Omit<Question, 'page' | 'limit'>) => ({
  ...(question.status === undefined ? { filled: true } : {}),
  ...omitEmpty(question),
})

export const orderPageQuery = (question: Question) =>
  queryOptions({
    queryKey: ['admin-orders', 'page', question],
    queryFn: async () => {
      const { page: nth, limit = 50, ...filters } = question
      const query = { page: nth, limit, ...orderFilters(filters) }
      const [page, account] = await Promise.all([
        unwrap(api.GET('/orders', { params: { query } })),
        queries.fetchQuery({ ...accountQuery, staleTime: 0 }),
      ])
      // Without the role, the API answers with the caller's own orders.
      if (!isAdmin(account)) throw new Problem(403, {})
      return wholeOrders(page)
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
