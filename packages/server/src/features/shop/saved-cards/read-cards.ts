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
  const customer = await customers.findCustomer(db, user_id)
  const card = customer && (await cards?.findCard(customer.customer, id))
  if (!card) throw unknownPaymentMethod()
  return card
}

export async function listCards({ db, cards }: Deps, { user_id }: Principal) {
  const customer = await customers.findCustomer(db, user_id)
  if (!customer || !cards) return []
  const savedCards = await cards.savedCards(customer.customer)
  const defaultCard = defaultOf(savedCards, customer.default_payment_method)
  return savedCards.map((card) => ({ ...card, is_default: card.id === defaultCard }))
}

/** For the export of an account: without the names that the card provider gave them. */
export async function exportCards(deps: Deps, caller: Principal) {
  const own = await listCards(deps, caller)
  return own.map(({ brand, last4, exp_month, exp_year }) => ({ brand, last4, exp_month, exp_year }))
}
