import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type Sale = AnswerOf<'listOrders'>['data'][number]

/** An unpaid order is not a sale yet. */
export const saleStatuses = ['Paid', 'Cancelled'] as const

export const ownOrganizationsQuery = queryOptions({
  queryKey: ['own-organizations'],
  queryFn: () => unwrap(api.GET('/organizations')),
})

type Question = {
  organization_id: string
  page: number
  status: (typeof saleStatuses)[number] | undefined
  q: string | undefined
  from: string | undefined
  to: string | undefined
}

export const salesQuery = (question: Question) =>
  queryOptions({
    queryKey: ['sales', question],
    queryFn: () =>
      // Operators would see carts, too.
      unwrap(
        api.GET('/orders', {
          params: { query: { limit: 20, placed: true, ...omitEmpty(question) } },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
