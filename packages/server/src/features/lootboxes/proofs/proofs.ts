import { bindUseCases } from '../../../platform/bind.ts'
import type { Options } from './deps.ts'
import { proveLootbox } from './prove-lootbox.ts'
import { createVerdictCache } from './recompute-lootbox.ts'

export type LootboxProofs = ReturnType<typeof createLootboxProofs>

/** Proofs that boxes were drawn as their type says, for everybody to check. */
export function createLootboxProofs(options: Options) {
  const deps = { ...options, verdictOn: createVerdictCache() }
  return bindUseCases(deps, { proveLootbox })
}
