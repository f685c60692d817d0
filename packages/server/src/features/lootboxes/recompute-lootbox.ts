import { contentsHash, recomputeStepwise, seedHash } from '@emojid/core'
import { takeTurn } from '../../platform/turns.ts'
import type { Deps } from './lootboxes.ts'
import type { Box } from './repository.ts'

const verdictsKept = 10_000

/**
 * Caches verdicts, because an opened box never changes. Concurrent requests share one computation.
 */
export function createVerdictCache(): Deps['verdictOn'] {
  const verdicts = new Map<string, Promise<boolean>>()
  return (box, seed, ids) => {
    const cachedVerdict = verdicts.get(box.id)
    if (cachedVerdict) return cachedVerdict
    if (verdicts.size >= verdictsKept) verdicts.clear()
    const verdict = canRecompute(box, seed, ids)
    verdicts.set(box.id, verdict)
    verdict.catch(() => verdicts.delete(box.id))
    return verdict
  }
}

async function canRecompute(box: Box, seed: string, emoji_ids: readonly string[]) {
  const { recipe, rejected, seed_hash, contents_hash } = box
  if (seedHash(seed) !== seed_hash) return false
  if (contentsHash({ seed, emoji_ids, rejected, recipe }) !== contents_hash) return false
  if (!recipe) return true
  return (await recomputeLootbox({ recipe, seed, rejected }))?.join() === emoji_ids.join()
}

/** Draws the box again, which can take long: yields to other requests in between. */
async function recomputeLootbox(box: Parameters<typeof recomputeStepwise>[0]) {
  const steps = recomputeStepwise(box)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await takeTurn()
  }
}
