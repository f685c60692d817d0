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
      showOffers,
      findPrices,
      holdLootboxes,
      grantHeldLootboxes,
      takeBackLootbox,
      nameLootboxes,
      findLootboxOwners,
    }),
    extendHolds: lootboxes.extendHolds,
    releaseHolds: lootboxes.releaseHolds,
    /** Freezes or unfreezes the unopened boxes of an order. */
    setFrozen: lootboxes.setFrozen,
    findLootboxes: (from: Database | Transaction, ids: readonly string[]) =>
      lootboxes.findLootboxes(from, ids),
  }
}
