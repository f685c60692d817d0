import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type Suspension = AnswerOf<'listSuspensions'>['data'][number]

export const suspensionPageQuery = (page: number, filters: { q?: string }) =>
  queryOptions({
    queryKey: ['suspensions', 'page', page, filters],
    queryFn: () =>
      unwrap(api.GET('/admin/suspensions', { params: { query: { page, limit: 50, ...filters } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
