import type { EmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { Transaction } from '../../tables.ts'
import type { Principal } from '../operations/access/access.ts'
import { auditLootbox } from './audit-lootbox.ts'
import type { Deps } from './lootboxes.ts'
import { loadLootboxToChange, showLootbox } from './read-lootboxes.ts'
import * as boxes from './repository.ts'
import * as rules from './rules.ts'
import type { LootboxView } from './schema.ts'

export async function refuseDeletionOfOwner(trx: Transaction, user_id: string) {
  if (await boxes.hasUnopened(trx, user_id)) throw rules.stillOwnsBoxes()
}

export async function deleteLootbox(
  deps: Deps,
  caller: Principal,
  id: string,
  reason?: string,
): Promise<LootboxView> {
  const { db, now, emojiIds } = deps
  return transact(db, async (trx) => {
    const box = await loadLootboxToChange(trx, id)
    rules.assertMay(box.status, 'delete', 'gone')
    rules.assertNotHeld(box, now())
    for (const { emoji_id } of await emojiIds.unboxIds(trx, id)) {
      await emojiIds.announceFreed(trx, emoji_id as EmojiId)
    }
    await boxes.remove(trx, id, box.status)
    if (box.lootbox_type_id) await boxes.countDiscarded(trx, box.lootbox_type_id)
    await auditLootbox(deps, trx, 'deleted', caller.user_id, box, { reason })
    return showLootbox(deps, box, 'whole', trx)
  })
}
