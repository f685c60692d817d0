import type { EmojiId } from '@emojid/core'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import type { paths } from '../generated/api.ts'
import { api, unwrap } from './client.ts'

/** The search result of one id; cancelled when the visitor chooses another. */
export const searchOf = (id: EmojiId | undefined) =>
  queryOptions({
    queryKey: ['search', id],
    queryFn: id
      ? ({ signal }) =>
          unwrap(api.GET('/emoji_id/search', { params: { query: { emoji_id: id } }, signal }))
      : skipToken,
    placeholderData: keepPreviousData,
  })

export type SearchAnswer =
  paths['/emoji_id/search']['get']['responses'][200]['content']['application/json']

/** Adds an id to the watchlist. */
export const addInterest = (emoji_id: string) =>
  unwrap(api.POST('/user_interests', { body: { emoji_id } }))
