import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../../api/client.ts'

/** The delay lock of an id and its pending change. The key is below that of the records. */
export const delayLockQuery = (emoji_id: string) =>
  queryOptions({
    queryKey: ['records', emoji_id, 'delay-lock'],
    queryFn: () =>
      unwrap(api.GET('/emoji_id/{emoji_id}/delay_lock', { params: { path: { emoji_id } } })),
    staleTime: 0,
  })

/** The save of an id's address changes. */
export const saveKey = (emoji_id: string) => ['save records', emoji_id]

export const setDelayLock = (emoji_id: string, hours: number) =>
  unwrap(
    api.PUT('/emoji_id/{emoji_id}/delay_lock', {
      params: { path: { emoji_id } },
      body: { hours },
    }),
  )

export const cancelChange = (emoji_id: string) =>
  unwrap(api.DELETE('/emoji_id/{emoji_id}/waiting_change', { params: { path: { emoji_id } } }))
