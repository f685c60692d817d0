import { bindUseCases } from '../../../platform/bind.ts'
import { refusal } from '../../../platform/errors.ts'
import type { CardHolder, SavedCard } from '../../../platform/payments/gateway.ts'
import type { Database } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import * as customers from './repository.ts'

export type Deps = { db: Database; cards: CardHolder | undefined }

export type SavedCards = ReturnType<typeof createSavedCards>

/** Saved cards of buyers, stored at the card provider. */
export function createSavedCards(deps: Deps) {
  return bindUseCases(deps, {
    findOrCreateCustomer,
    listCards,
    exportCards,
    findCard,
    setDefaultCard,
    forgetCard,
  })
}

/** The buyer's customer id at the provider, created with the first purchase. */
async function findOrCreateCustomer(
  { cards, db }: Deps,
  user_id: string,
): Promise<string | undefined> {
  if (!cards) return undefined
  const customer = await customers.findCustomer(db, user_id)
  if (customer) return customer.customer
  await customers.insertCustomer(db, user_id, await cards.createCustomer(user_id))
  return (await customers.findCustomer(db, user_id))?.customer
}

/** The card that the owner chose, or the only one. */
const defaultOf = (
  cards: readonly Pick<SavedCard, 'id'>[],
  defaultCard: string | null,
): string | null => (cards.length === 1 ? (cards[0]?.id ?? null) : defaultCard)

async function listCards({ db, cards }: Deps, { user_id }: Principal) {
  const customer = await customers.findCustomer(db, user_id)
  if (!customer || !cards) return []
  const savedCards = await cards.savedCards(customer.customer)
  const defaultCard = defaultOf(savedCards, customer.default_payment_method)
  return savedCards.map((card) => ({ ...card, is_default: card.id === defaultCard }))
}

/** For the export of an account: without the names that the card provider gave them. */
async function exportCards(deps: Deps, caller: Principal) {
  const own = await listCards(deps, caller)
  return own.map(({ brand, last4, exp_month, exp_year }) => ({ brand, last4, exp_month, exp_year }))
}

async function findCard({ db, cards }: Deps, user_id: string, id: string): Promise<SavedCard> {
  const customer = await customers.findCustomer(db, user_id)
  const card = customer && (await cards?.findCard(customer.customer, id))
  if (!card) throw unknownPaymentMethod()
  return card
}

const unknownPaymentMethod = () =>
  refusal('not_found', 'unknown_payment_method', 'You don’t have this payment method.')

async function setDefaultCard(deps: Deps, { user_id }: Principal, id: string) {
  const { db } = deps
  const card = await findCard(deps, user_id, id)
  await customers.setDefault(db, user_id, card.id)
  return { ...card, is_default: true }
}

async function forgetCard({ db, cards }: Deps, { user_id }: Principal, id: string) {
  const customer = await customers.findCustomer(db, user_id)
  const forgottenCard = customer && (await cards?.forgetCard(customer.customer, id))
  if (!forgottenCard) throw unknownPaymentMethod()
  await customers.clearDefault(db, user_id, forgottenCard.id)
  return { ...forgottenCard, is_default: false }
}
