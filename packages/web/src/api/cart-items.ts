import { api, unwrap } from './client.ts'
import { partnerVisit } from './partner-visit.ts'
import { brandingQuery } from './partners.ts'
import { asProblem } from './problem.ts'
import { queries } from './query-client.ts'
import type { Order } from './shop.ts'

type NewItem = { emoji_id: string } | { lootbox_id: string }

/** The partner who sent the buyer, until the buyer goes back; none if the link names no partner. */
async function visitedPartner(): Promise<string | undefined> {
  const visit = partnerVisit.current()
  if (!visit || visit.isOver) return undefined
  const branding = await queries.ensureQueryData(brandingQuery(visit.path)).catch(() => undefined)
  return branding?.organization_id
}

/** Puts an item into the cart, or answers the cart that has it already. */
export async function keepInCart(item: NewItem): Promise<Order> {
  try {
    return await addToCart(item)
  } catch (thrown) {
    if (asProblem(thrown).code === 'eligibility') return unwrap(api.GET('/cart'))
    throw thrown
  }
}

/** Puts an item into the cart, in the flow of the partner who sent the buyer. */
export async function addToCart(item: NewItem): Promise<Order> {
  const organization_id = await visitedPartner()
  const items = [item]
  const body = organization_id === undefined ? { items } : { items, organization_id }
  return unwrap(api.POST('/cart', { body }))
}
