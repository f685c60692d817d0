import { randomBytes, randomUUID } from 'node:crypto'
import { transact } from '../../platform/database/database.ts'
import type { Principal } from '../operations/access/access.ts'
import { hasStock } from './check-stock.ts'
import { type DrawRequest, drawLootbox } from './draw-lootbox.ts'
import { exhaustType, lockTypeToDraw } from './exhaust-type.ts'
import type { Deps } from './lootboxes.ts'
import { showLootboxes } from './read-lootboxes.ts'
import { loadType } from './read-types.ts'
import type { Box } from './repository.ts'
import { assertCountAllowed, exhaustedError, recipeFor } from './rules.ts'
import type { GenerationRequest } from './schema.ts'

/**
 * No box is begun after this time. A begun box is always finished: discarding it for its contents
 * would change the odds.
 */
const drawMs = 3_000

export async function generateLootboxes(
  deps: Deps,
  { user_id: actor_id }: Principal,
  request: GenerationRequest,
) {
  const { loot_box_type_id: lootbox_type_id, num_boxes: num_requested, reason } = request
  const { config, exhausted_at } = await loadType(deps, lootbox_type_id)
  assertCountAllowed(config, num_requested)
  if (exhausted_at) throw exhaustedError()
  const lootboxes: Box[] = []
  const endsAt = performance.now() + drawMs
  while (lootboxes.length < num_requested && performance.now() < endsAt) {
    const box = await drawNextLootbox(deps, { actor_id, lootbox_type_id, reason })
    if (!box) break
    lootboxes.push(box)
  }
  return { loot_boxes: await showLootboxes(deps, lootboxes, 'whole'), num_requested }
}

/** Draws the next box of a type; closes the type if it cannot be filled. */
function drawNextLootbox(deps: Deps, request: DrawRequest): Promise<Box | undefined> {
  const { db, audit } = deps
  const { actor_id, lootbox_type_id, reason } = request
  // A retry of the transaction must draw the same box.
  const draft = { id: randomUUID(), seed: randomBytes(32) }
  return transact(db, async (trx) => {
    // The lock keeps other boxes of the type out until this one is decided.
    const type = await lockTypeToDraw(trx, lootbox_type_id)
    if (!type) return undefined
    const recipe = recipeFor(type.config)
    const isLeft = await hasStock(deps, trx, recipe)
    const box = isLeft && (await drawLootbox(deps, trx, request, recipe, draft))
    if (!box) {
      await exhaustType(deps, trx, actor_id, lootbox_type_id)
      return undefined
    }
    const details = { lootbox_type_id, lootbox_id: box.id, seed_hash: box.seed_hash, reason }
    await audit.writeEntry(trx, 'lootbox.generated', { actor_id, details })
    return box
  })
}
