import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { api, told } from './client.ts'
import { given } from './given.ts'

export type AuditEntry =
  operations['listAudit']['responses'][200]['content']['application/json']['data'][number]

type Question = {
  page: number
  event: string | undefined
  person: string | undefined
  from: string | undefined
  to: string | undefined
}

export const auditPageQuery = (question: Question) =>
  queryOptions({
    queryKey: ['audit', question],
    queryFn: () =>
      told(api.GET('/admin/audit', { params: { query: { limit: 50, ...given(question) } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
