import { queryOptions } from '@tanstack/react-query'
import { api, told } from './client.ts'
import type { AnswerOf } from './shapes.ts'

export type PriceVersion = AnswerOf<'listPrices'>[number]

/** All price tables, newest first. */
export const pricesQuery = queryOptions({
  queryKey: ['admin', 'prices'],
  queryFn: () => told(api.GET('/admin/prices')),
  // New prices must start from the current table.
  staleTime: 0,
})
