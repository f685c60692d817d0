import { ALPHABET_VERSION, parseEmojiId } from '@emojid/core'
import type { Deps } from './deps.ts'
import * as boxes from './repository.ts'
import { unknownLootbox } from './rules.ts'
import type { LootboxProof } from './schema.ts'
import { revealSeed } from './seed.ts'

export async function proveLootbox(deps: Deps, id: string): Promise<LootboxProof> {
  const { db, verdictOn } = deps
  const box = await boxes.find(db, id)
  if (!box) throw unknownLootbox()
  const { status, created_at, lootbox_type_id, seed_hash, contents_hash, rejected } = box
  const seed = revealSeed(deps, box)
  const emoji_ids = seed === null ? null : box.yats.map((text) => parseEmojiId(text))
  const boxes_of_type = lootbox_type_id ? await boxes.countBoxes(db, lootbox_type_id) : null
  return {
    id,
    status,
    created_at,
    lootbox_type_id,
    discarded_boxes: boxes_of_type?.discarded ?? null,
    boxes_of_type,
    alphabet_version: ALPHABET_VERSION,
    recipe: box.recipe as LootboxProof['recipe'],
    seed_hash,
    contents_hash,
    seed,
    emoji_ids,
    recomputes: seed && emoji_ids ? await verdictOn(box, seed, emoji_ids) : null,
    rejected: seed === null ? null : rejected,
  }
}
