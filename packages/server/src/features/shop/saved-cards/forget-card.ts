import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as customers from './repository.ts'
import { unknownPaymentMethod } from './rules.ts'

export async function forgetCard({ db, cards }: Deps, { user_id }: Principal, id: string) {
  const customer = await customers.findCustomer(db, user_id)
  const forgottenCard = customer && (await cards?.forgetCard(customer.customer, id))
  if (!forgottenCard) throw unknownPaymentMethod()
  await customers.clearDefault(db, user_id, forgottenCard.id)
  return { ...forgottenCard, is_default: false }
}
