import type { EmojiId } from '@emojid/core'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { api, told } from '../../api/client.ts'
import type { paths } from '../../generated/api.ts'

/** Everything about one id. Who chooses another meanwhile does not wait for this. */
export const searchOf = (id: EmojiId | undefined) =>
  queryOptions({
    queryKey: ['search', id],
    queryFn: id
      ? ({ signal }) =>
          told(api.GET('/emoji_id/search', { params: { query: { emoji_id: id } }, signal }))
      : skipToken,
    placeholderData: keepPreviousData,
  })

export const randomIds = queryOptions({
  queryKey: ['random'],
  queryFn: async ({ signal }) => (await told(api.GET('/emoji_id/random', { signal }))).result,
  staleTime: Number.POSITIVE_INFINITY,
})

export const recentIds = queryOptions({
  queryKey: ['recent'],
  queryFn: async ({ signal }) => (await told(api.GET('/emoji_id/recent', { signal }))).result,
})

export type SearchAnswer =
  paths['/emoji_id/search']['get']['responses'][200]['content']['application/json']
