import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import {
  type BoxRecipe,
  drawBox,
  type EmojiId,
  type Rejection,
  randomFitting,
  seededDraw,
} from '@emojid/core'
import { createBreather } from '../../platform/breathe.ts'
import { transact } from '../../platform/database/database.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import { type LootboxTypes, rangesOf } from '../lootbox-types/index.ts'
import type { Box, Lootboxes } from '../lootboxes/index.ts'
import { assertFew, ExhaustedError, reasonAgainst, recipeFor } from './rules.ts'
import type { GenerationRequest } from './schema.ts'

export type LootboxGeneration = ReturnType<typeof createLootboxGeneration>

type Options = {
  db: Database
  audit: Audit
  emojiIds: EmojiIds
  lootboxTypes: LootboxTypes
  lootboxes: Lootboxes
}
type Fresh = { id: string; seed: Buffer }
type Wish = { actor_id: string; lootbox_type_id: string; reason: string | undefined }

/** No box is begun later than this; one that is begun is finished, whatever is in it. */
const drawMs = 3_000
/** A box that takes longer than this cannot be filled. */
const boxMs = 30_000
/**
 * Of so many ids of every range, so many must be free for a box to be begun. As a box gives up a
 * range after 100 refusals, one that is begun then hardly ever fails.
 */
const [probes, freeProbes] = [100, 5]
const plainTries = 100

/**
 * Draws boxes by a type, strictly one after the other. No box is left out for what is in it, or
 * those that come would not have the odds of the type: see decision 0017.
 */
export function createLootboxGeneration(options: Options) {
  const { db, audit, emojiIds, lootboxTypes, lootboxes } = options

  const refusalOf = async (trx: Transaction, id: EmojiId) =>
    reasonAgainst((await emojiIds.standings([id], undefined, trx)).get(id))

  /** Whether every range has ids left, found out by chance that has nothing to do with any box. */
  const hasStock = async (trx: Transaction, { config, emojis }: BoxRecipe): Promise<boolean> => {
    const { min_length, max_length } = config
    const breathe = createBreather()
    for (const { min_score, max_score } of rangesOf(config)) {
      const pattern = { min_length, max_length, min_score, max_score, emojis: [...emojis] }
      let free = 0
      for (let tried = 0; free < freeProbes; tried += freeProbes) {
        if (tried >= probes) return false
        const ids: EmojiId[] = []
        for (let n = 0; n < freeProbes; n++) {
          await breathe()
          const id = randomFitting(pattern, (below) => randomInt(below), plainTries)
          if (id) ids.push(id)
        }
        const standings = await emojiIds.standings(ids, undefined, trx)
        free += ids.filter((id) => !reasonAgainst(standings.get(id))).length
      }
    }
    return true
  }

  /** The ids of a box, without those in `gone`; nothing when it cannot be filled. */
  const draw = async (
    trx: Transaction,
    recipe: BoxRecipe,
    seed: Buffer,
    gone: ReadonlyMap<EmojiId, string>,
  ): Promise<{ ids: EmojiId[]; rejected: Rejection[] } | undefined> => {
    const steps = drawBox(recipe, seededDraw(seed))
    const rejected: Rejection[] = []
    const breathe = createBreather()
    const endsAt = performance.now() + boxMs
    let isRefused = false
    while (performance.now() < endsAt) {
      // Ids of rare scores take long to find: others have their turn in between.
      await breathe()
      const { done, value: id } = steps.next(isRefused)
      if (done) return id && { ids: id, rejected }
      const reason = id && (gone.get(id) ?? (await refusalOf(trx, id)))
      isRefused = reason !== undefined
      if (id && reason) rejected.push({ emoji_id: id, reason })
    }
    return undefined
  }

  /** Draws a box and makes it. What somebody took in this very moment is one more refusal. */
  const fill = async (
    trx: Transaction,
    { actor_id, lootbox_type_id }: Wish,
    recipe: BoxRecipe,
    { id, seed }: Fresh,
  ): Promise<Box | undefined> => {
    const gone = new Map<EmojiId, string>()
    for (;;) {
      const drawn = await draw(trx, recipe, seed, gone)
      if (!drawn) return undefined
      for (const { emoji_id, reason } of drawn.rejected) gone.set(emoji_id as EmojiId, reason)
      const yats = drawn.ids.map((one) => ({ id: one, text: one }))
      const how = { lootbox_type_id, recipe, rejected: drawn.rejected }
      const draft = { status: 'Draft', owner_id: null, owner_email: null } as const
      const made = await lootboxes.put(trx, actor_id, { id, seed, yats, drawn: how }, draft)
      if (made.box) return made.box
      for (const one of [...made.taken, ...made.held]) {
        gone.set(one, (await refusalOf(trx, one)) ?? 'held')
      }
    }
  }

  /** The next box of a type; the type is closed when there is none. */
  const next = (wish: Wish): Promise<Box | undefined> => {
    const { actor_id, lootbox_type_id, reason } = wish
    // Beginning the transaction anew must not be another chance.
    const fresh = { id: randomUUID(), seed: randomBytes(32) }
    return transact(db, async (trx) => {
      // Under this lock nobody else’s box of the type comes while it is open whether it ends here.
      const type = await lootboxTypes.findToDraw(trx, lootbox_type_id)
      if (!type) return undefined
      const recipe = recipeFor(type.config)
      const isLeft = await hasStock(trx, recipe)
      const box = isLeft && (await fill(trx, wish, recipe, fresh))
      if (!box) {
        await lootboxTypes.close(trx, actor_id, lootbox_type_id)
        return undefined
      }
      const details = { lootbox_type_id, lootbox_id: box.id, seed_hash: box.seed_hash, reason }
      await audit.note(trx, 'lootbox.generated', { actor_id, details })
      return box
    })
  }

  return {
    async generate({ user_id: actor_id }: Principal, request: GenerationRequest) {
      const { loot_box_type_id: lootbox_type_id, num_boxes: num_requested, reason } = request
      const { config, exhausted_at } = await lootboxTypes.load(lootbox_type_id)
      assertFew(config, num_requested)
      if (exhausted_at) throw new ExhaustedError()
      const made: Box[] = []
      const endsAt = performance.now() + drawMs
      while (made.length < num_requested && performance.now() < endsAt) {
        const box = await next({ actor_id, lootbox_type_id, reason })
        if (!box) break
        made.push(box)
      }
      return { loot_boxes: await lootboxes.showAll(made, 'whole'), num_requested }
    },
  }
}
