import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { idempotencyHeader } from '../../../api/idempotency-keys.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type DisputeFacts = AnswerOf<'getDispute'>

export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-disputes', id],
    queryFn: () => unwrap(api.GET('/disputes/{id}', { params: { path: { id } } })),
    staleTime: 0,
  })

/** The decisions about frozen items: one id, or all of them. */
export const disputeActions = (id: string) => {
  const params = { path: { id } }
  const bodyOf = (reason: string, emoji_id?: string) => ({
    reason,
    ...(emoji_id === undefined ? {} : { emoji_ids: [emoji_id] }),
  })
  return {
    takeBack: (key: string, reason: string, emoji_id?: string) =>
      unwrap(
        api.POST('/disputes/{id}/take_back', {
          params,
          body: bodyOf(reason, emoji_id),
          ...idempotencyHeader(key),
        }),
      ),
    leave: (key: string, reason: string, emoji_id?: string) =>
      unwrap(
        api.POST('/disputes/{id}/leave', {
          params,
          body: bodyOf(reason, emoji_id),
          ...idempotencyHeader(key),
        }),
      ),
  }
}
