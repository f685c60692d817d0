import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

type Page = AnswerOf<'listUserInterests'>

export type Interest = Page['data'][number]

export const interestsQuery = (page: number) =>
  queryOptions({
    queryKey: ['interests', page],
    queryFn: () => unwrap(api.GET('/user_interests', { params: { query: { page, limit: 20 } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const removeInterest = (emoji_id: string) =>
  unwrap(api.DELETE('/user_interests/{emoji_id}', { params: { path: { emoji_id } } }))
