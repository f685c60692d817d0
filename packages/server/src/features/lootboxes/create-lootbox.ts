import { randomBytes, randomUUID } from 'node:crypto'
import type { EmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { Transaction } from '../../tables.ts'
import type { Principal } from '../operations/access/access.ts'
import { auditLootbox } from './audit-lootbox.ts'
import { holdIds } from './hold-ids.ts'
import { mailOwner, resolveOwner } from './lootbox-owner.ts'
import type { Deps } from './lootboxes.ts'
import { grantContents } from './open-lootbox.ts'
import { showLootbox } from './read-lootboxes.ts'
import type { Box } from './repository.ts'
import * as boxes from './repository.ts'
import * as rules from './rules.ts'
import type { LootboxView, NewLootbox } from './schema.ts'
import { seedContext } from './seed.ts'

/** Creates a box if all of its ids are available; else returns the ids that are not. */
export async function insertLootbox(
  deps: Deps,
  trx: Transaction,
  actor_id: string,
  filling: rules.BoxFilling,
  state: { status: Box['status'] } & (rules.Owner | typeof rules.noOwner),
): Promise<{ box?: Box; taken: EmojiId[]; held: EmojiId[] }> {
  const { catalog, sealer, now, emojiIds } = deps
  const { id, seed, yats, drawn } = filling
  const ids = yats.map((yat) => yat.id)
  const { taken, held } = await holdIds(deps, trx, actor_id, id, ids)
  if (taken.length + held.length > 0) return { taken, held }
  const box = await boxes.insert(trx, {
    id,
    lootbox_type_id: drawn?.lootbox_type_id ?? null,
    ...state,
    ...rules.noOrder,
    ...rules.contentsOf(yats, await catalog.findPrices(trx, ids)),
    sealed_seed: sealer.seal(seed, seedContext(id)),
    ...rules.commitTo(filling),
    recipe: drawn ? JSON.stringify(drawn.recipe) : null,
    rejected: JSON.stringify(drawn?.rejected ?? []),
    created_at: now(),
    updated_at: now(),
    opened_at: null,
  })
  await emojiIds.boxIds(trx, id, ids)
  return { box, taken, held }
}

export async function createLootbox(
  deps: Deps,
  caller: Principal,
  body: NewLootbox,
): Promise<LootboxView> {
  const { db } = deps
  const { status, yats, reason } = body
  rules.assertOwnerFits(status, body, false)
  const filling = { id: randomUUID(), seed: randomBytes(32), yats: rules.readYats(yats) }
  return transact(db, async (trx) => {
    const owner = (await resolveOwner(deps, trx, body)) ?? rules.noOwner
    // The transitions allow opening only an owned box.
    const first = status === 'Used' ? 'Owned' : status
    const outcome = await insertLootbox(deps, trx, caller.user_id, filling, {
      status: first,
      ...owner,
    })
    rules.assertHeld(outcome)
    const box = outcome.box as Box
    await auditLootbox(deps, trx, 'created', caller.user_id, box, { reason })
    if (status === 'Owned') await mailOwner(deps, trx, box)
    const finalBox = status === 'Used' ? await grantContents(deps, trx, caller.user_id, box) : box
    return showLootbox(deps, finalBox, 'whole', trx)
  })
}
