import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'

/** What an owner can look for. */
export const ownStatuses = ['Owned', 'Used'] as const

type Question = {
  owner_id: string
  page: number
  status: (typeof ownStatuses)[number] | undefined
}

/** Operators say whose boxes they want, or they are shown everybody's. */
export const ownLootboxPageQuery = ({ owner_id, page, status }: Question) =>
  queryOptions({
    queryKey: ['lootboxes', 'own', owner_id, page, status],
    queryFn: () =>
      unwrap(
        api.GET('/lootboxes', {
          params: { query: { owner_id, page, limit: 20, ...(status && { status }) } },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Nothing where boxes are not sold. Operators see into boxes, so this is not for them. */
export const lootboxesForSaleQuery = (page: number) =>
  queryOptions({
    queryKey: ['lootboxes', 'for-sale', page],
    queryFn: () =>
      unwrap(
        api.GET('/lootboxes', { params: { query: { status: 'Available', page, limit: 20 } } }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
