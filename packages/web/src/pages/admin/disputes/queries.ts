import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export const disputeStates = ['waiting', 'open', 'won', 'lost'] as const

type State = (typeof disputeStates)[number]

export type DisputeView = AnswerOf<'findDisputes'>['data'][number]

export const disputeFilters = (state: State | undefined) =>
  state === 'waiting' ? { awaits_decision: true } : omitEmpty({ status: state })

export const disputePageQuery = ({ page, state }: { page: number; state: State | undefined }) =>
  queryOptions({
    queryKey: ['admin-disputes', 'page', page, state],
    queryFn: () => {
      const query = { page, limit: 50, ...disputeFilters(state) }
      return unwrap(api.GET('/disputes', { params: { query } }))
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
