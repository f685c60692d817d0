import type { FastifyPluginAsync } from 'fastify'
import type { Catalog } from './features/catalog/index.ts'
import {
  createLootboxGeneration,
  lootboxGenerationRoutes,
} from './features/lootbox-generation/index.ts'
import { createLootboxProofs, lootboxProofRoutes } from './features/lootbox-proofs/index.ts'
import { createLootboxSales } from './features/lootbox-sales/index.ts'
import { createLootboxTypes, lootboxTypeRoutes } from './features/lootbox-types/index.ts'
import { createLootboxes, lootboxRoutes } from './features/lootboxes/index.ts'
import type { Notifications } from './features/notifications/index.ts'
import type { Parts } from './parts.ts'
import type { People } from './people.ts'
import { mount } from './platform/http/mount.ts'

/** Everything around lootboxes. */
export function createBoxes(
  parts: Parts & { catalog: Catalog; notifications: Notifications } & People,
) {
  const { config, db, sealer, now, accounts, audit, catalog, emojiIds, notifications } = parts
  const isSold = config.lootbox_sale
  const lootboxTypes = createLootboxTypes({ db, audit, now })
  const lootboxes = createLootboxes({
    db,
    accounts,
    audit,
    catalog,
    emojiIds,
    lootboxTypes,
    notifications,
    sealer,
    now,
    isSold,
    webUrl: config.web_url,
  })
  const lootboxGeneration = createLootboxGeneration({
    db,
    audit,
    emojiIds,
    lootboxTypes,
    lootboxes,
  })
  const lootboxProofs = createLootboxProofs({ lootboxes })
  const lootboxSales = createLootboxSales({ db, lootboxes, lootboxTypes, now, isSold })
  const routes: FastifyPluginAsync[] = [
    mount(lootboxTypeRoutes, { lootboxTypes }),
    mount(lootboxGenerationRoutes, { lootboxGeneration }),
    mount(lootboxRoutes, { lootboxes }),
    mount(lootboxProofRoutes, { lootboxProofs }),
  ]
  return { lootboxTypes, lootboxSales, routes }
}
