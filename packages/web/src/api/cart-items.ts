import { api, unwrap } from './client.ts'
import { partnerVisit } from './partner-visit.ts'
import { brandingQuery } from './partners.ts'
import { asProblem } from './problem.ts'
import { queries } from './query-client.ts'
import type { Order } from './shop.ts'

type NewItem = { emoji_id: string } | { lootbox_id: string }

/** The partner that sent the buyer, until the buyer returns; none for an unknown partner. */
async function visitedPartner(): Promise<string | undefined> {
  const visit = partnerVisit.current()
  if (!visit || visit.isOver) return undefined
  const branding = await queries.ensureQueryData(brandingQuery(visit.path)).catch(() => undefined)
  return branding?.organization_id
}

/** Adds an item to the cart; returns the cart unchanged if it already has the item. */
export async function ensureInCart(item: NewItem): Promise<Order> {
  try {
    return await addToCart(item)
  } catch (error) {
    if (asProblem(error).code === 'eligibility') return unwrap(api.GET('/cart'))
    throw error
  }
}

/** Adds an item to the cart, credited to the partner that sent the buyer. */
export async function addToCart(item: NewItem): Promise<Order> {
  const organization_id = await visitedPartner()
  const items = [item]
  const body = organization_id === undefined ? { items } : { items, organization_id }
  return unwrap(api.POST('/cart', { body }))
}
