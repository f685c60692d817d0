import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { generateLootboxes } from './generate-lootboxes.ts'

export type LootboxGeneration = ReturnType<typeof createLootboxGeneration>

/**
 * Draws boxes of a type, strictly one after the other. A drawn box is never discarded for its
 * contents, or the remaining boxes would not have the odds of the type: see decision 0017.
 */
export function createLootboxGeneration(deps: Deps) {
  return bindUseCases(deps, {
    generateLootboxes,
  })
}
