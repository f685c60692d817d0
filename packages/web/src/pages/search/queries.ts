import { queryOptions } from '@tanstack/react-query'
import { api, told } from '../../api/client.ts'

export const randomIds = queryOptions({
  queryKey: ['random'],
  queryFn: async ({ signal }) => (await told(api.GET('/emoji_id/random', { signal }))).result,
  staleTime: Number.POSITIVE_INFINITY,
})

export const recentIds = queryOptions({
  queryKey: ['recent'],
  queryFn: async ({ signal }) => (await told(api.GET('/emoji_id/recent', { signal }))).result,
})
