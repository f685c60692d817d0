import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { idempotencyHeader } from '../../../api/idempotency-keys.ts'
import type { AnswerOf, BodyOf } from '../../../api/shapes.ts'

export type ReportFacts = AnswerOf<'getReport'>
export type Verdict = BodyOf<'decideReport'>

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-reports', id],
    queryFn: () => unwrap(api.GET('/admin/reports/{id}', { params: { path: { id } } })),
    staleTime: 0,
  })

export const decideReport = (id: string, key: string, body: Verdict) =>
  unwrap(
    api.POST('/admin/reports/{id}/decide', {
      params: { path: { id } },
      body,
      ...idempotencyHeader(key),
    }),
  )
