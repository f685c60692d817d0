import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type AuditEntry = AnswerOf<'listAudit'>['data'][number]

type Filters = {
  event?: string
  person?: string
  emoji_id?: string
  from?: string
  to?: string
}

export const auditPageQuery = (page: number, filters: Filters) =>
  queryOptions({
    queryKey: ['audit', page, filters],
    queryFn: () =>
      unwrap(api.GET('/admin/audit', { params: { query: { page, limit: 50, ...filters } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
