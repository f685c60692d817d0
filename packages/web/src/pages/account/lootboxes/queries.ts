import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'

/** The states an owner can filter by. */
export const ownStatuses = ['Owned', 'Used'] as const

type Question = {
  owner_id: string
  page: number
  status: (typeof ownStatuses)[number] | undefined
}

/** Filters by owner, because operators would get all boxes. */
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

/** Empty if no boxes are for sale. Operators can see inside boxes, so they may not buy. */
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
