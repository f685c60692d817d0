import { bindUseCases } from '../../platform/bind.ts'
import type { Sealer } from '../../platform/crypto/seal.ts'
import type { Database } from '../../tables.ts'
import type { Catalog } from '../directory/catalog/catalog.ts'
import type { EmojiIds } from '../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../identity/accounts/accounts.ts'
import type { Removals } from '../identity/removals/removals.ts'
import type { Audit } from '../operations/audit/audit.ts'
import type { Notifications } from '../operations/notifications/notifications.ts'
import { changeLootbox } from './change-lootbox.ts'
import { createLootbox } from './create-lootbox.ts'
import { createType, insertType } from './create-type.ts'
import { deleteLootbox, refuseDeletionOfOwner } from './delete-lootbox.ts'
import { findLootboxOwners, nameLootboxes } from './describe-lootboxes.ts'
import { generateLootboxes } from './generate-lootboxes.ts'
import { holdLootboxes } from './hold-lootboxes.ts'
import { findPrices, showOffers } from './offer-lootboxes.ts'
import { openLootbox } from './open-lootbox.ts'
import { createCounts, proveLootbox } from './prove-lootbox.ts'
import { findLootboxes, listLootboxes, showLootboxTo } from './read-lootboxes.ts'
import { listTypes } from './read-types.ts'
import { createVerdictCache } from './recompute-lootbox.ts'
import type { Box, countBoxes } from './repository.ts'
import * as boxes from './repository.ts'
import { grantHeldLootboxes, takeBackLootbox } from './sell-lootboxes.ts'

export type Options = {
  db: Database
  accounts: Accounts
  removals: Removals
  audit: Audit
  catalog: Catalog
  emojiIds: EmojiIds
  notifications: Notifications
  sealer: Sealer
  now: () => Date
  /** Whether boxes can be bought. */
  isSold: boolean
  webUrl: string
}

export type Deps = Options & {
  /** The boxes of a type by what became of them, at most ten seconds ago. */
  countsOf: (lootbox_type_id: string) => ReturnType<typeof countBoxes>
  /** Whether the contents of a box can be recomputed from its seed. */
  verdictOn: (box: Box, seed: string, ids: readonly string[]) => Promise<boolean>
}

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
