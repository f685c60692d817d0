import { parseEmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { Transaction } from '../../tables.ts'
import type { Principal } from '../operations/access/access.ts'
import { auditLootbox } from './audit-lootbox.ts'
import type { Deps } from './lootboxes.ts'
import { loadLootboxToChange, showLootbox } from './read-lootboxes.ts'
import type { Box } from './repository.ts'
import * as boxes from './repository.ts'
import * as rules from './rules.ts'
import type { LootboxView } from './schema.ts'

/** Grants all ids to the owner, or none. */
export async function grantContents(
  deps: Deps,
  trx: Transaction,
  actor_id: string,
  box: Box,
): Promise<Box> {
  const { accounts, removals, emojiIds, audit, now } = deps
  rules.assertNotFrozen(box)
  const owner = box.owner_id && (await accounts.findAccountToChange(trx, box.owner_id))
  if (!owner || owner.deactivated_at) {
    const message = owner
      ? 'Its owner is deactivated.'
      : 'No account has confirmed this email address.'
    throw rules.unknownOwner(message, rules.fieldOf(box))
  }
  await removals.assertMayOwn(trx, owner)
  const pubkey = await emojiIds.resolveKeyForBuyer(trx, owner.id, null)
  await emojiIds.unboxIds(trx, box.id)
  const registration = { pubkey, order_id: box.order_id, origin: 'LootBox' as const }
  for (const text of box.yats.toSorted()) {
    const emoji_id = parseEmojiId(text)
    if (!(await emojiIds.registerId(trx, text, registration))) {
      throw rules.refusedIds('taken', [emoji_id])
    }
    const details = { emoji_id, pubkey, lootbox_id: box.id }
    await audit.writeEntry(trx, 'emoji_id.granted', { actor_id, subject_id: owner.id, details })
  }
  const change = { status: 'Used' as const, opened_at: now(), updated_at: now() }
  const openedBox = (await boxes.update(trx, box.id, box.status, change)) as Box
  await auditLootbox(deps, trx, 'opened', actor_id, openedBox)
  return openedBox
}

export async function openLootbox(deps: Deps, caller: Principal, id: string): Promise<LootboxView> {
  const { db, now } = deps
  return transact(db, async (trx) => {
    await boxes.claim(trx, caller.user_id, now())
    const box = await loadLootboxToChange(trx, id)
    const isOwner = box.owner_id === caller.user_id
    if (!isOwner && !rules.mayReadAll(caller)) throw rules.unknownLootbox()
    rules.assertMay(box.status, 'open', 'Used')
    if (!isOwner) throw rules.notOwner()
    if (box.status === 'Used') return showLootbox(deps, box, 'stripped', trx)
    return showLootbox(deps, await grantContents(deps, trx, caller.user_id, box), 'stripped', trx)
  })
}
