import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type Figure = NonNullable<AnswerOf<'showFigures'>['sales']>

export const figuresQuery = queryOptions({
  queryKey: ['admin', 'figures'],
  queryFn: () => unwrap(api.GET('/admin/figures')),
  staleTime: 0,
  // The service counts once a minute.
  refetchInterval: 60_000,
})
