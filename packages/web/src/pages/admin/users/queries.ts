import type { globalRoles } from '@emojid/core'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'

type Filters = {
  q?: string
  emoji_id?: string
  role?: (typeof globalRoles)[number]
}

export const userPageQuery = (page: number, filters: Filters) =>
  queryOptions({
    queryKey: ['users', 'page', page, filters],
    queryFn: () =>
      unwrap(api.GET('/users', { params: { query: { page, limit: 50, ...filters } } })),
    placeholderData: keepPreviousData,
  })
