import { lootboxSeed } from '../../demo/lootboxes.ts'
import type { Parts } from '../../parts.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Directory } from '../directory/index.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import { createLootboxes, lootboxRoutes } from './boxes/index.ts'
import { createLootboxGeneration, lootboxGenerationRoutes } from './generation/index.ts'
import { createLootboxProofs, lootboxProofRoutes } from './proofs/index.ts'
import { createLootboxSales } from './sales/index.ts'
import { createLootboxTypes, lootboxTypeRoutes } from './types/index.ts'

/** Boxes of random ids with published odds and proofs. */
export function createLootboxWing(parts: Parts & Operations & Identity & Directory) {
  const isSold = parts.config.lootbox_sale
  const lootboxTypes = createLootboxTypes(parts)
  const lootboxes = createLootboxes({ ...parts, lootboxTypes, isSold })
  const lootboxGeneration = createLootboxGeneration({ ...parts, lootboxTypes, lootboxes })
  const lootboxProofs = createLootboxProofs({ lootboxes })
  const lootboxSales = createLootboxSales({ ...parts, lootboxes, lootboxTypes, isSold })
  return {
    services: { lootboxSales },
    routes: [
      mount(lootboxTypeRoutes, { lootboxTypes }),
      mount(lootboxGenerationRoutes, { lootboxGeneration }),
      mount(lootboxRoutes, { lootboxes }),
      mount(lootboxProofRoutes, { lootboxProofs }),
    ],
    seeds: [lootboxSeed(lootboxTypes)],
  }
}
