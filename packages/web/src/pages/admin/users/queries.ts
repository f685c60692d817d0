import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import type { globalRoles } from '../../../api/users.ts'

type Question = {
  page: number
  q: string | undefined
  role: (typeof globalRoles)[number] | undefined
}

export const userPageQuery = ({ page, q, role }: Question) =>
  queryOptions({
    queryKey: ['users', 'page', page, q, role],
    queryFn: () =>
      unwrap(
        api.GET('/users', {
          params: { query: { page, limit: 50, ...(q ? { q } : {}), ...(role ? { role } : {}) } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
