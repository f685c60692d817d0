import { queryOptions } from '@tanstack/react-query'
import { minuteMs } from '../time.ts'
import { api, unwrap } from './client.ts'
import type { AnswerOf } from './shapes.ts'

export type Branding = AnswerOf<'getBranding'>

/** The branding and terms of a partner. */
export const brandingQuery = (id: string) =>
  queryOptions({
    queryKey: ['branding', id],
    queryFn: () => unwrap(api.GET('/organizations/{id}/branding', { params: { path: { id } } })),
    staleTime: 10 * minuteMs,
  })
