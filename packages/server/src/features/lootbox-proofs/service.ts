import {
  ALPHABET_VERSION,
  contentsHash,
  parseEmojiId,
  recomputeStepwise,
  seedHash,
} from '@emojid/core'
import { createBreather } from '../../platform/breathe.ts'
import { type Box, type Lootboxes, UnknownBoxError } from '../lootboxes/index.ts'
import type { LootboxProof } from './schema.ts'

export type LootboxProofs = ReturnType<typeof createLootboxProofs>

const verdictsKept = 10_000

/** All that anybody needs to check that a box was drawn as its type says. */
export function createLootboxProofs({ lootboxes }: { lootboxes: Lootboxes }) {
  const verdicts = new Map<string, Promise<boolean>>()

  /** Drawing again may take a while: others have their turn in between. */
  const drawAgain = async (box: Parameters<typeof recomputeStepwise>[0]) => {
    const steps = recomputeStepwise(box)
    const breathe = createBreather()
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      await breathe()
    }
  }
  const recomputes = async (
    box: Box,
    seed: string,
    emoji_ids: readonly string[],
  ): Promise<boolean> => {
    const { recipe, rejected, seed_hash, contents_hash } = box
    if (seedHash(seed) !== seed_hash) return false
    if (contentsHash({ seed, emoji_ids, rejected, recipe }) !== contents_hash) return false
    if (!recipe) return true
    return (await drawAgain({ recipe, seed, rejected }))?.join() === emoji_ids.join()
  }
  /** What is opened changes no more, so it is drawn again once, however many ask meanwhile. */
  const verdictOn = (box: Box, seed: string, ids: readonly string[]): Promise<boolean> => {
    const known = verdicts.get(box.id)
    if (known) return known
    if (verdicts.size >= verdictsKept) verdicts.clear()
    const verdict = recomputes(box, seed, ids)
    verdicts.set(box.id, verdict)
    verdict.catch(() => verdicts.delete(box.id))
    return verdict
  }

  return {
    async prove(id: string): Promise<LootboxProof> {
      const box = await lootboxes.find(id)
      if (!box) throw new UnknownBoxError()
      const { status, created_at, lootbox_type_id, seed_hash, contents_hash, rejected } = box
      const seed = lootboxes.reveal(box)
      const emoji_ids = seed === null ? null : box.yats.map((text) => parseEmojiId(text))
      const recomputes = seed && emoji_ids ? await verdictOn(box, seed, emoji_ids) : null
      const recipe = box.recipe as LootboxProof['recipe']
      return {
        ...{ id, status, created_at, lootbox_type_id, alphabet_version: ALPHABET_VERSION },
        ...{ recipe, seed_hash, contents_hash, seed, emoji_ids, recomputes },
        rejected: seed === null ? null : rejected,
      }
    },
  }
}
