import { bindUseCases } from '../../../platform/bind.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import { findLootboxOwners, nameLootboxes } from './describe-lootboxes.ts'
import { holdLootboxes } from './hold-lootboxes.ts'
import { findPrices, showOffers } from './offer-lootboxes.ts'
import { grantHeldLootboxes, takeBackLootbox } from './sell-lootboxes.ts'

/** The sale of unopened boxes by orders, at the price of their type. */
export function createLootboxSales(deps: Deps) {
  const { lootboxes } = deps

  return {
    ...bindUseCases(deps, {
      offers: showOffers,
      pricesOf: findPrices,
      hold: holdLootboxes,
      grantHeld: grantHeldLootboxes,
      takeBack: takeBackLootbox,
      namesOf: nameLootboxes,
      ownersOf: findLootboxOwners,
    }),
    extendHolds: lootboxes.extendHolds,
    unhold: lootboxes.unhold,
    /** Freezes or unfreezes the unopened boxes of an order. */
    setFrozen: lootboxes.setFrozen,
    find: (from: Database | Transaction, ids: readonly string[]) => lootboxes.findAll(from, ids),
  }
}
