import type { jobStates } from '@emojid/core'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type Job = AnswerOf<'listJobs'>['data'][number]

export type TaskCount = AnswerOf<'countJobs'>[number]

/** Jobs run in the background, so the page polls. */
const alive = { staleTime: 0, refetchInterval: 10_000 }

type Question = {
  page: number
  state: (typeof jobStates)[number] | undefined
  task: string | undefined
}

export const jobPageQuery = (question: Question) =>
  queryOptions({
    queryKey: ['jobs', 'page', question],
    queryFn: () =>
      unwrap(api.GET('/admin/jobs', { params: { query: { limit: 50, ...omitEmpty(question) } } })),
    placeholderData: keepPreviousData,
    ...alive,
  })

export const taskCountsQuery = queryOptions({
  queryKey: ['jobs', 'tasks'],
  queryFn: () => unwrap(api.GET('/admin/job_tasks')),
  ...alive,
})

export const jobActions = {
  retry: (id: string, reason: string) =>
    unwrap(api.POST('/admin/jobs/{id}/retry', { params: { path: { id } }, body: { reason } })),
  remove: (id: string, reason: string) =>
    unwrap(api.DELETE('/admin/jobs/{id}', { params: { path: { id }, query: { reason } } })),
}
