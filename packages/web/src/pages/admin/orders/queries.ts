import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { idempotencyHeader } from '../../../api/idempotency-keys.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export const refundStates = ['queued', 'by_hand', 'done'] as const

export type RefundView = AnswerOf<'listRefunds'>[number]

type RefundQuestion = { page: number; status: (typeof refundStates)[number] | undefined }

export const refundPageQuery = (question: RefundQuestion) =>
  queryOptions({
    queryKey: ['admin-orders', 'refunds', question],
    queryFn: () =>
      unwrap(
        api.GET('/refunds', {
          params: { query: { limit: 50, dir: 'Desc', ...omitEmpty(question) } },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const markRefundPaid = (id: string, key: string, reference: string) =>
  unwrap(
    api.POST('/refunds/{id}/given', {
      params: { path: { id } },
      body: { reference },
      ...idempotencyHeader(key),
    }),
  )
