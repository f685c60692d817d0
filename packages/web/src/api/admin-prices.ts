import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import type { AnswerOf } from './shapes.ts'

export type PriceVersion = AnswerOf<'listPrices'>[number]

/** Every price table there was, the one in force first. */
export const pricesQuery = queryOptions({
  queryKey: ['admin', 'prices'],
  queryFn: () => unwrap(api.GET('/admin/prices')),
  // Whoever makes new prices begins with those that are in force.
  staleTime: 0,
})
