import { lootboxSeed } from '../../demo/lootboxes.ts'
import type { Parts } from '../../parts.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Directory } from '../directory/index.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import { createLootboxes } from './lootboxes.ts'
import { lootboxRoutes } from './routes.ts'

export type { LootboxView } from './schema.ts'
export { rewrapLootboxes } from './seed.ts'

/** Boxes of random ids with published odds and proofs. The wing is one feature. */
export function createLootboxesWing(parts: Parts & Operations & Identity & Directory) {
  const lootboxes = createLootboxes({ ...parts, isSold: parts.config.lootbox_sale })
  return {
    /** The shop uses it through its type `BoxSales`. */
    services: { lootboxSales: lootboxes },
    routes: [mount(lootboxRoutes, { lootboxes })],
    seeds: [lootboxSeed(lootboxes)],
  }
}
