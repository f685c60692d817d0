import { bindUseCases } from '../../../platform/bind.ts'
import { createType, insertType } from './create-type.ts'
import type { Deps } from './deps.ts'
import { exhaustType, lockTypeToDraw } from './exhaust-type.ts'
import { findTypes, listTypes, loadType } from './read-types.ts'

export type LootboxTypes = ReturnType<typeof createLootboxTypes>

/** Types of lootboxes: the configuration that boxes are drawn by, with their odds. */
export function createLootboxTypes(deps: Deps) {
  return {
    ...bindUseCases(deps, {
      insertType,
      loadType,
      exhaustType,
      listTypes,
      createType,
    }),
    findTypes,
    lockTypeToDraw,
  }
}
