import { bindUseCases } from '../../../platform/bind.ts'
import { changeLootbox } from './change-lootbox.ts'
import { createLootbox, insertLootbox } from './create-lootbox.ts'
import { deleteLootbox, refuseDeletionOfOwner } from './delete-lootbox.ts'
import type { Deps } from './deps.ts'
import { openLootbox } from './open-lootbox.ts'
import { findLootboxes, listLootboxes, showLootboxes, showLootboxTo } from './read-lootboxes.ts'
import * as boxes from './repository.ts'
import { revealSeed } from './seed.ts'

export type Lootboxes = ReturnType<typeof createLootboxes>

/** Lootboxes: sets of ids that the owner sees only after opening. */
export function createLootboxes(deps: Deps) {
  const { accounts, db } = deps
  accounts.beforeDeletion(refuseDeletionOfOwner)

  return {
    ...bindUseCases(deps, {
      insertLootbox,
      showLootboxes,
      revealSeed,
      createLootbox,
      listLootboxes,
      showLootboxTo,
      changeLootbox,
      deleteLootbox,
      openLootbox,
    }),
    findLootbox: (id: string) => boxes.find(db, id),
    findLootboxes,
    /** Orders change boxes by one conditional statement each. */
    holdLootbox: boxes.hold,
    extendHolds: boxes.setHolds,
    releaseHolds: boxes.removeHolds,
    sellHeldLootboxes: boxes.sell,
    takeBackLootbox: boxes.takeBack,
    setFrozen: boxes.setFrozen,
  }
}
