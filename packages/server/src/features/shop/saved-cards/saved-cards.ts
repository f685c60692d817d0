import { bindUseCases } from '../../../platform/bind.ts'
import { findOrCreateCustomer } from './create-customer.ts'
import type { Deps } from './deps.ts'
import { forgetCard } from './forget-card.ts'
import { exportCards, findCard, listCards } from './read-cards.ts'
import { setDefaultCard } from './set-default-card.ts'

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
