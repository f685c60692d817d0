import { type BoxRecipe, drawBox, type EmojiId, type Rejection, seededDraw } from '@emojid/core'
import { takeTurn } from '../../platform/turns.ts'
import type { Transaction } from '../../tables.ts'
import { insertLootbox } from './create-lootbox.ts'
import type { Deps } from './lootboxes.ts'
import type { Box } from './repository.ts'
import { reasonAgainst } from './rules.ts'

type Draft = { id: string; seed: Buffer }

export type DrawRequest = { actor_id: string; lootbox_type_id: string; reason: string | undefined }

/** A box that takes longer than this cannot be filled. */
const boxMs = 30_000

/**
 * Draws a box and inserts it. An id that was taken meanwhile counts as a refusal, and the box is
 * drawn again from the same seed.
 */
export async function drawLootbox(
  deps: Deps,
  trx: Transaction,
  { actor_id, lootbox_type_id }: DrawRequest,
  recipe: BoxRecipe,
  { id, seed }: Draft,
): Promise<Box | undefined> {
  const refusals = new Map<EmojiId, string>()
  for (;;) {
    const draw = await drawIds(deps, trx, recipe, seed, refusals)
    if (!draw) return undefined
    for (const { emoji_id, reason } of draw.rejected) refusals.set(emoji_id as EmojiId, reason)
    const yats = draw.ids.map((one) => ({ id: one, text: one }))
    const how = { lootbox_type_id, recipe, rejected: draw.rejected }
    const draft = { status: 'Draft', owner_id: null, owner_email: null } as const
    const outcome = await insertLootbox(deps, trx, actor_id, { id, seed, yats, drawn: how }, draft)
    if (outcome.box) return outcome.box
    for (const one of [...outcome.taken, ...outcome.held]) {
      refusals.set(one, (await findRefusal(deps, trx, one)) ?? 'held')
    }
  }
}

const findRefusal = async ({ emojiIds }: Deps, trx: Transaction, id: EmojiId) =>
  reasonAgainst((await emojiIds.findStatuses([id], undefined, trx)).get(id))

/** Draws the ids of a box, without those in `gone`; returns undefined if it cannot be filled. */
async function drawIds(
  deps: Deps,
  trx: Transaction,
  recipe: BoxRecipe,
  seed: Buffer,
  refusals: ReadonlyMap<EmojiId, string>,
): Promise<{ ids: EmojiId[]; rejected: Rejection[] } | undefined> {
  const steps = drawBox(recipe, seededDraw(seed))
  const rejections: Rejection[] = []
  const endsAt = performance.now() + boxMs
  let isRefused = false
  while (performance.now() < endsAt) {
    // Ids of rare scores take long to find: yield to other requests in between.
    await takeTurn()
    const { done, value: id } = steps.next(isRefused)
    if (done) return id && { ids: id, rejected: rejections }
    const reason = id && (refusals.get(id) ?? (await findRefusal(deps, trx, id)))
    isRefused = reason !== undefined
    if (id && reason) rejections.push({ emoji_id: id, reason })
  }
  return undefined
}
