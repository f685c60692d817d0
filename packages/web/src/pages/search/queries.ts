import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'

/** The price of a chosen id comes first. */
const priority = 'low'

export const randomIds = queryOptions({
  queryKey: ['random'],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET('/emoji_id/random', { signal, priority }))).result,
  staleTime: Number.POSITIVE_INFINITY,
})

export const recentIds = queryOptions({
  queryKey: ['recent'],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET('/emoji_id/recent', { signal, priority }))).result,
})
