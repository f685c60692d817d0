import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export const tokenStates = ['signed', 'ended', 'minted'] as const

export type Token = AnswerOf<'listTokens'>['data'][number]

type Question = { page: number; state: (typeof tokenStates)[number] | undefined }

export const tokenPageQuery = (question: Question) =>
  queryOptions({
    queryKey: ['tokens', 'page', question],
    queryFn: () =>
      unwrap(
        api.GET('/admin/tokens', { params: { query: { limit: 50, ...omitEmpty(question) } } }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const markMinted = (emoji_id: string, isMinted: boolean, reason: string) =>
  unwrap(
    api.PUT('/admin/emoji_ids/{emoji_id}/minted', {
      params: { path: { emoji_id } },
      body: { minted: isMinted, reason },
    }),
  )
