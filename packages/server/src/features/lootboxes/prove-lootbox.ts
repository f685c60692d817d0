import { ALPHABET_VERSION, parseEmojiId } from '@emojid/core'
import { createClockCache } from '../../platform/cache/clock-cache.ts'
import { createSharedValue } from '../../platform/cache/shared-value.ts'
import { secondMs } from '../../platform/time.ts'
import type { Deps } from './lootboxes.ts'
import * as boxes from './repository.ts'
import { unknownLootbox } from './rules.ts'
import type { LootboxProof } from './schema.ts'
import { revealSeed } from './seed.ts'

export async function proveLootbox(deps: Deps, id: string): Promise<LootboxProof> {
  const { db, countsOf, verdictOn } = deps
  const box = await boxes.find(db, id)
  if (!box) throw unknownLootbox()
  const { status, created_at, lootbox_type_id, seed_hash, contents_hash, rejected } = box
  const seed = revealSeed(deps, box)
  const emoji_ids = seed === null ? null : box.yats.map((text) => parseEmojiId(text))
  const boxes_of_type = lootbox_type_id ? await countsOf(lootbox_type_id) : null
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

const countedMs = 10 * secondMs
const countedTypesAtMost = 1_000

/** Anybody can request a proof, and a type may have very many boxes: counts each at most every ten seconds. */
export function createCounts({ db, now }: Pick<Deps, 'db' | 'now'>): Deps['countsOf'] {
  const counts = createClockCache<() => ReturnType<typeof boxes.countBoxes>>(countedTypesAtMost)
  return (type_id) => {
    const load = () => boxes.countBoxes(db, type_id)
    const count = counts.get(type_id) ?? createSharedValue({ load, freshMs: countedMs, now })
    counts.put(type_id, count)
    return count()
  }
}
