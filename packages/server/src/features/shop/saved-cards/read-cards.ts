import type { SavedCard } from '../../../platform/payments/gateway.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as customers from './repository.ts'
import { defaultOf, unknownPaymentMethod } from './rules.ts'

export async function findCard(
  { db, cards }: Deps,
  user_id: string,
  id: string,
): Promise<SavedCard> {
  const known = await customers.findCustomer(db, user_id)
  const card = known && (await cards?.findCard(known.customer, id))
  if (!card) throw unknownPaymentMethod()
  return card
}

export async function listCards({ db, cards }: Deps, { user_id }: Principal) {
  const known = await customers.findCustomer(db, user_id)
  if (!known || !cards) return []
  const savedCards = await cards.savedCards(known.customer)
  const chosen = defaultOf(savedCards, known.default_payment_method)
  return savedCards.map((card) => ({ ...card, is_default: card.id === chosen }))
}

/** For the export of an account: without the names that the card provider gave them. */
export async function exportCards(deps: Deps, caller: Principal) {
  const own = await listCards(deps, caller)
  return own.map(({ brand, last4, exp_month, exp_year }) => ({ brand, last4, exp_month, exp_year }))
}
