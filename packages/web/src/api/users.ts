import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, told } from './client.ts'

/** What an account is in the whole service; what it is in organizations is told apart. */
export const globalRoles = ['User', 'Bot', 'Admin', 'Super'] as const

type Question = {
  page: number
  q: string | undefined
  role: (typeof globalRoles)[number] | undefined
}

export const userPageQuery = ({ page, q, role }: Question) =>
  queryOptions({
    queryKey: ['users', 'page', page, q, role],
    queryFn: () =>
      told(
        api.GET('/users', {
          params: { query: { page, limit: 50, ...(q ? { q } : {}), ...(role ? { role } : {}) } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
