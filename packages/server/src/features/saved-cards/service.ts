import type { CardGateway, SavedCard } from '../../platform/payments/gateway.ts'
import type { Database } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import * as customers from './repository.ts'
import { defaultOf, UnknownPaymentMethodError } from './rules.ts'

export type SavedCards = ReturnType<typeof createSavedCards>

type Options = { db: Database; cards: CardGateway | undefined }

/** Buyers as the provider of cards knows them, and what they let it keep. */
export function createSavedCards({ db, cards }: Options) {
  /** A card of this user. */
  const find = async (user_id: string, id: string): Promise<SavedCard> => {
    const known = await customers.findCustomer(db, user_id)
    const card = known && (await cards?.findCard(known.customer, id))
    if (!card) throw new UnknownPaymentMethodError()
    return card
  }

  return {
    /** The buyer's name at the provider, made with the first purchase. */
    async customerOf(user_id: string): Promise<string | undefined> {
      if (!cards) return undefined
      const known = await customers.findCustomer(db, user_id)
      if (known) return known.customer
      await customers.insertCustomer(db, user_id, await cards.createCustomer(user_id))
      return (await customers.findCustomer(db, user_id))?.customer
    },

    async list({ user_id }: Principal) {
      const known = await customers.findCustomer(db, user_id)
      if (!known || !cards) return []
      const kept = await cards.savedCards(known.customer)
      const chosen = defaultOf(kept, known.default_payment_method)
      return kept.map((card) => ({ ...card, is_default: card.id === chosen }))
    },

    find,

    async setDefault({ user_id }: Principal, id: string) {
      const card = await find(user_id, id)
      await customers.setDefault(db, user_id, card.id)
      return { ...card, is_default: true }
    },

    async forget({ user_id }: Principal, id: string) {
      const known = await customers.findCustomer(db, user_id)
      const forgotten = known && (await cards?.forgetCard(known.customer, id))
      if (!forgotten) throw new UnknownPaymentMethodError()
      await customers.clearDefault(db, user_id, forgotten.id)
      return { ...forgotten, is_default: false }
    },
  }
}
