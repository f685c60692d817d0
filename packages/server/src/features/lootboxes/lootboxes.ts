import { bindUseCases } from '../../platform/bind.ts'
import { changeLootbox } from './change-lootbox.ts'
import { createLootbox } from './create-lootbox.ts'
import { createType, insertType } from './create-type.ts'
import { deleteLootbox, refuseDeletionOfOwner } from './delete-lootbox.ts'
import type { Options } from './deps.ts'
import { findLootboxOwners, nameLootboxes } from './describe-lootboxes.ts'
import { generateLootboxes } from './generate-lootboxes.ts'
import { holdLootboxes } from './hold-lootboxes.ts'
import { findPrices, showOffers } from './offer-lootboxes.ts'
import { openLootbox } from './open-lootbox.ts'
import { createCounts, proveLootbox } from './prove-lootbox.ts'
import { findLootboxes, listLootboxes, showLootboxTo } from './read-lootboxes.ts'
import { listTypes } from './read-types.ts'
import { createVerdictCache } from './recompute-lootbox.ts'
import * as boxes from './repository.ts'
import { grantHeldLootboxes, takeBackLootbox } from './sell-lootboxes.ts'

export type Lootboxes = ReturnType<typeof createLootboxes>

/**
 * Lootboxes: sets of ids that the owner sees only after opening. A type defines how boxes are
 * drawn; orders sell unopened boxes at the price of their type; a proof shows how a box was drawn.
 * Boxes of a type are drawn strictly one after the other, and a drawn box is never discarded for
 * its contents, or the remaining boxes would not have the odds of the type: see decision 0017.
 */
export function createLootboxes(options: Options) {
  const deps = { ...options, countsOf: createCounts(options), verdictOn: createVerdictCache() }
  options.accounts.beforeDeletion(refuseDeletionOfOwner)

  return {
    ...bindUseCases(deps, {
      createType,
      insertType,
      listTypes,
      generateLootboxes,
      createLootbox,
      changeLootbox,
      deleteLootbox,
      openLootbox,
      listLootboxes,
      showLootboxTo,
      proveLootbox,
      showOffers,
      findPrices,
      holdLootboxes,
      grantHeldLootboxes,
      takeBackLootbox,
    }),
    findLootboxes,
    nameLootboxes,
    findLootboxOwners,
    extendHolds: boxes.setHolds,
    releaseHolds: boxes.removeHolds,
    /** Freezes or unfreezes the unopened boxes of an order. */
    setFrozen: boxes.setFrozen,
  }
}
