import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
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
      unwrap(api.GET('/admin/audit', { params: { query: { limit: 50, ...omitEmpty(question) } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
