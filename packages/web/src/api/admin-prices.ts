import { queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { api, told } from './client.ts'
import { queries } from './queries.ts'

export type PriceVersion =
  operations['listPrices']['responses'][200]['content']['application/json'][number]

/** Every price table there was, the one in force first. */
export const pricesQuery = queryOptions({
  queryKey: ['admin', 'prices'],
  queryFn: () => told(api.GET('/admin/prices')),
  // Whoever makes new prices begins with those that are in force.
  staleTime: 0,
})

type NewPrices = { prices: (number | null)[]; reason: string; based_on: number }

export async function setPrices(body: NewPrices): Promise<PriceVersion> {
  const made = await told(api.POST('/admin/prices', { body }))
  // What ids cost stands in many places.
  void queries.invalidateQueries()
  return made
}

/** Ten ids that can be had. */
export const randomIds = async (): Promise<string[]> =>
  (await told(api.GET('/emoji_id/random'))).result.map(({ emoji_id }) => emoji_id)
