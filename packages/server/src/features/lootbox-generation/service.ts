import { randomBytes, randomUUID } from 'node:crypto'
import { type BoxRecipe, drawBox, type EmojiId, type Rejection, seededDraw } from '@emojid/core'
import { createBreather } from '../../platform/breathe.ts'
import { transact } from '../../platform/database/database.ts'
import type { Database } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { LootboxTypes } from '../lootbox-types/index.ts'
import type { Box, Lootboxes } from '../lootboxes/index.ts'
import { assertFew, reasonAgainst, recipeFor } from './rules.ts'
import type { GenerationRequest } from './schema.ts'

export type LootboxGeneration = ReturnType<typeof createLootboxGeneration>

type Options = {
  db: Database
  audit: Audit
  emojiIds: EmojiIds
  lootboxTypes: LootboxTypes
  lootboxes: Lootboxes
}
type Drawn = { id: string; seed: Buffer; ids: EmojiId[]; rejected: Rejection[] }

/** Whoever asks gets an answer in time: boxes that are not drawn, or not written, by then do not come. */
const [drawMs, writeMs] = [2_000, 2_000]
const drawnTogether = 10

/** Draws boxes by a type. */
export function createLootboxGeneration(options: Options) {
  const { db, audit, emojiIds, lootboxTypes, lootboxes } = options

  /** Boxes side by side, an id of each at a time, so that one question tells of all these ids. */
  const drawSome = async (
    recipe: BoxRecipe,
    count: number,
    accepted: Set<EmojiId>,
    endsAt: number,
  ): Promise<Drawn[]> => {
    const drawn: Drawn[] = []
    const breathe = createBreather()
    let unfinished = Array.from({ length: count }, () => {
      const seed = randomBytes(32)
      const rejected: Rejection[] = []
      const steps = drawBox(recipe, seededDraw(seed))
      return { id: randomUUID(), seed, rejected, steps, isRefused: false }
    })
    while (unfinished.length > 0 && performance.now() < endsAt) {
      const asked: { box: (typeof unfinished)[number]; id: EmojiId | undefined }[] = []
      for (const box of unfinished) {
        // Ids of rare scores take long to find: others have their turn in between.
        await breathe()
        const { done, value } = box.steps.next(box.isRefused)
        if (!done) asked.push({ box, id: value })
        else if (value) drawn.push({ ...box, ids: value })
      }
      const ids = asked.flatMap(({ id }) => id ?? [])
      const standings = await emojiIds.standings(ids, undefined)
      for (const { box, id } of asked) {
        const reason = id && reasonAgainst(standings.get(id), accepted.has(id))
        box.isRefused = reason !== undefined
        if (id && reason) box.rejected.push({ emoji_id: id, reason })
        else if (id) accepted.add(id)
      }
      unfinished = asked.map(({ box }) => box)
    }
    return drawn
  }
  const drawAll = async (recipe: BoxRecipe, count: number): Promise<Drawn[]> => {
    const endsAt = performance.now() + drawMs
    const accepted = new Set<EmojiId>()
    const drawn: Drawn[] = []
    for (let left = count; left > 0 && performance.now() < endsAt; left -= drawnTogether) {
      drawn.push(...(await drawSome(recipe, Math.min(left, drawnTogether), accepted, endsAt)))
    }
    return drawn
  }

  return {
    async generate({ user_id: actor_id }: Principal, request: GenerationRequest) {
      const { loot_box_type_id: lootbox_type_id, num_boxes: num_requested } = request
      const { config } = await lootboxTypes.load(lootbox_type_id)
      assertFew(config, num_requested)
      const recipe = recipeFor(config)
      const drawn = await drawAll(recipe, num_requested)
      return transact(db, async (trx) => {
        const endsAt = performance.now() + writeMs
        const made: Box[] = []
        const draft = { status: 'Draft', owner_id: null, owner_email: null } as const
        for (const { id, seed, ids, rejected } of drawn) {
          if (performance.now() > endsAt) break
          const yats = ids.map((one) => ({ id: one, text: one }))
          const filling = { id, seed, yats, drawn: { lootbox_type_id, recipe, rejected } }
          // Nothing when somebody took one of its ids in this very moment.
          const { box } = await lootboxes.put(trx, actor_id, filling, draft)
          if (box) made.push(box)
        }
        const details = { lootbox_type_id, num_requested, lootbox_ids: made.map(({ id }) => id) }
        await audit.note(trx, 'lootbox.generated', { actor_id, details })
        return { loot_boxes: await lootboxes.showAll(made, 'whole', trx), num_requested }
      })
    },
  }
}
