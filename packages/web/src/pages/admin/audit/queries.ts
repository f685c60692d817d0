import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, told } from '../../../api/client.ts'
import { given } from '../../../api/given.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type AuditEntry = AnswerOf<'listAudit'>['data'][number]

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
