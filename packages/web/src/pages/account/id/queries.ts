import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'

/** The records with their proof. */
export const proofQuery = (emoji_id: string) =>
  queryOptions({
    queryKey: ['records', emoji_id, 'proof'],
    queryFn: () =>
      unwrap(api.GET('/emoji_id/{emoji_id}/proof', { params: { path: { emoji_id } } })),
    staleTime: 0,
  })

/** How often the id was looked up, in the past month and today. */
export const statsQuery = (eid: string) =>
  queryOptions({
    queryKey: ['stats', eid],
    queryFn: () => unwrap(api.GET('/emoji_id/{eid}/stats', { params: { path: { eid } } })),
    staleTime: 0,
  })

export const releaseId = (emoji_id: string) =>
  unwrap(api.DELETE('/emoji_id/{emoji_id}', { params: { path: { emoji_id } } }))

/** The record history, page by page; for owners only. */
export const changesQuery = (emoji_id: string, page: number) =>
  queryOptions({
    queryKey: ['records', emoji_id, 'changes', page],
    queryFn: () =>
      unwrap(
        api.GET('/emoji_id/{emoji_id}/changes', {
          params: { path: { emoji_id }, query: { page, limit: 20 } },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
