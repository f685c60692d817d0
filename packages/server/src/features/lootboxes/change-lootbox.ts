import { parseEmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { Transaction } from '../../tables.ts'
import type { Principal } from '../operations/access/access.ts'
import { auditLootbox } from './audit-lootbox.ts'
import { holdIds } from './hold-ids.ts'
import { mailOwner, resolveOwner } from './lootbox-owner.ts'
import type { Deps } from './lootboxes.ts'
import { grantContents } from './open-lootbox.ts'
import { loadLootboxToChange, showLootbox } from './read-lootboxes.ts'
import type { Box } from './repository.ts'
import * as boxes from './repository.ts'
import * as rules from './rules.ts'
import type { LootboxChange, LootboxView } from './schema.ts'
import { openSeed } from './seed.ts'

export async function changeLootbox(
  deps: Deps,
  caller: Principal,
  id: string,
  body: LootboxChange,
): Promise<LootboxView> {
  const { db, now } = deps
  return transact(db, async (trx) => {
    const box = await loadLootboxToChange(trx, id)
    const status = rules.statusAfter(box, body, now())
    const owner = await resolveOwner(deps, trx, body)
    if (owner) rules.assertMayPass(box, owner)
    const contents = body.yats && (await replaceContents(deps, trx, caller.user_id, box, body.yats))
    if (status === 'Available') await assertUnlisted(deps, trx, contents?.yats ?? box.yats)
    const isGiven = box.status !== 'Owned' && owner !== undefined
    const changedBox = (await boxes.update(trx, id, box.status, {
      ...owner,
      ...contents,
      ...(isGiven ? rules.noOrder : {}),
      status: status === 'Used' ? 'Owned' : status,
      updated_at: now(),
    })) as Box
    const details = rules.noteOf(box, owner, body)
    await auditLootbox(deps, trx, 'changed', caller.user_id, changedBox, details)
    if (status === 'Owned') await mailOwner(deps, trx, changedBox, box)
    const finalBox =
      status === 'Used' ? await grantContents(deps, trx, caller.user_id, changedBox) : changedBox
    return showLootbox(deps, finalBox, 'whole', trx)
  })
}

/** A box with ids that an operator reserved since is not put on sale. */
async function assertUnlisted({ emojiIds }: Deps, trx: Transaction, yats: readonly string[]) {
  const reservedIds = await emojiIds.findOnList(
    trx,
    yats.map((id) => parseEmojiId(id)),
  )
  if (reservedIds.length > 0) throw rules.refusedIds('taken', reservedIds)
}

/** Replaces the ids of a box. */
async function replaceContents(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  box: Box,
  texts: readonly string[],
) {
  const { emojiIds, catalog } = deps
  const yats = rules.readYats(texts)
  const ids = yats.map(({ id }) => id)
  const present = box.yats.map((text) => parseEmojiId(text))
  const addedIds = ids.filter((id) => !present.includes(id))
  if (addedIds.length > 0) rules.assertHeld(await holdIds(deps, trx, user_id, box.id, addedIds))
  await emojiIds.unboxIds(trx, box.id)
  await emojiIds.boxIds(trx, box.id, ids)
  for (const id of present) if (!ids.includes(id)) await emojiIds.announceFreed(trx, id)
  const { contents_hash } = rules.commitTo({ seed: openSeed(deps, box), yats })
  return { ...rules.contentsOf(yats, await catalog.findPrices(trx, ids)), contents_hash }
}
