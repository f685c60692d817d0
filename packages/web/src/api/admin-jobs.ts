import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { api, told } from './client.ts'
import { given } from './given.ts'

export const jobStates = ['waiting', 'running', 'failed', 'given_up'] as const
export type Job =
  operations['listJobs']['responses'][200]['content']['application/json']['data'][number]
export type TaskCount =
  operations['countJobs']['responses'][200]['content']['application/json'][number]

/** Work goes on while somebody looks at it. */
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
      told(api.GET('/admin/jobs', { params: { query: { limit: 50, ...given(question) } } })),
    placeholderData: keepPreviousData,
    ...alive,
  })

export const taskCountsQuery = queryOptions({
  queryKey: ['jobs', 'tasks'],
  queryFn: () => told(api.GET('/admin/job_tasks')),
  ...alive,
})

export const jobActions = {
  retry: (id: string, reason: string) =>
    told(api.POST('/admin/jobs/{id}/retry', { params: { path: { id } }, body: { reason } })),
  remove: (id: string, reason: string) =>
    told(api.DELETE('/admin/jobs/{id}', { params: { path: { id }, query: { reason } } })),
}
