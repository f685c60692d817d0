import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { api, told } from './client.ts'
import { given } from './given.ts'

export const disputeStates = ['waiting', 'open', 'won', 'lost'] as const
type State = (typeof disputeStates)[number]

type Body<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Answer } } }
}
  ? Answer
  : never
export type DisputeView = Body<'findDisputes'>['data'][number]
export type DisputeFacts = Body<'getDispute'>

export const disputePageQuery = ({ page, state }: { page: number; state: State | undefined }) =>
  queryOptions({
    queryKey: ['admin-disputes', 'page', page, state],
    queryFn: () => {
      const wanted = state === 'waiting' ? { awaits_decision: true } : given({ status: state })
      const query = { page, limit: 50, ...wanted }
      return told(api.GET('/disputes', { params: { query } }))
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-disputes', id],
    queryFn: () => told(api.GET('/disputes/{id}', { params: { path: { id } } })),
    staleTime: 0,
  })

/** What operators decide about what is frozen: one id, or everything. */
export const disputeActions = (id: string) => {
  const params = { path: { id } }
  const once = (key: string) => ({ headers: { 'Idempotency-Key': key } })
  const bodyOf = (reason: string, emoji_id?: string) => ({
    reason,
    ...(emoji_id === undefined ? {} : { emoji_ids: [emoji_id] }),
  })
  return {
    takeBack: (key: string, reason: string, emoji_id?: string) =>
      told(
        api.POST('/disputes/{id}/take_back', {
          params,
          body: bodyOf(reason, emoji_id),
          ...once(key),
        }),
      ),
    leave: (key: string, reason: string, emoji_id?: string) =>
      told(
        api.POST('/disputes/{id}/leave', {
          params,
          body: bodyOf(reason, emoji_id),
          ...once(key),
        }),
      ),
  }
}
