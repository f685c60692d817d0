import type { PriceVersion } from '../../../api/admin.ts'
import { api, unwrap } from '../../../api/client.ts'
import { queries } from '../../../api/query-client.ts'

type NewPrices = { prices: (number | null)[]; reason: string; based_on: number }

export async function setPrices(body: NewPrices): Promise<PriceVersion> {
  const version = await unwrap(api.POST('/admin/prices', { body }))
  // Many pages show prices.
  void queries.invalidateQueries()
  return version
}

/** Ten available ids. */
export const randomIds = async (): Promise<string[]> =>
  (await unwrap(api.GET('/emoji_id/random'))).result.map(({ emoji_id }) => emoji_id)
