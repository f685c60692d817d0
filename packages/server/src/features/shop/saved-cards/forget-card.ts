import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as customers from './repository.ts'
import { unknownPaymentMethod } from './rules.ts'

export async function forgetCard({ db, cards }: Deps, { user_id }: Principal, id: string) {
  const known = await customers.findCustomer(db, user_id)
  const forgotten = known && (await cards?.forgetCard(known.customer, id))
  if (!forgotten) throw unknownPaymentMethod()
  await customers.clearDefault(db, user_id, forgotten.id)
  return { ...forgotten, is_default: false }
}
