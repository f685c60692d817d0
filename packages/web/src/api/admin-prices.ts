import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import type { AnswerOf } from './shapes.ts'

export type PriceVersion = AnswerOf<'listPrices'>[number]

/** All price tables, newest first. */
export const pricesQuery = queryOptions({
  queryKey: ['admin', 'prices'],
  queryFn: () => unwrap(api.GET('/admin/prices')),
  // New prices must start from the current table.
  staleTime: 0,
})
