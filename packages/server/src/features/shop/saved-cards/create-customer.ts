import type { Deps } from './deps.ts'
import * as customers from './repository.ts'

/** The buyer's customer id at the provider, created with the first purchase. */
export async function findOrCreateCustomer(
  { cards, db }: Deps,
  user_id: string,
): Promise<string | undefined> {
  if (!cards) return undefined
  const customer = await customers.findCustomer(db, user_id)
  if (customer) return customer.customer
  await customers.insertCustomer(db, user_id, await cards.createCustomer(user_id))
  return (await customers.findCustomer(db, user_id))?.customer
}
