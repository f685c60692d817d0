import { randomInt } from 'node:crypto'
import { type BoxRecipe, type EmojiId, randomFitting } from '@emojid/core'
import { takeTurn } from '../../platform/turns.ts'
import type { Transaction } from '../../tables.ts'
import type { Deps } from './lootboxes.ts'
import { rangesOf, reasonAgainst } from './rules.ts'

/**
 * A box is begun only if, of 100 random ids of every range, five are available. Drawing gives up a
 * range after 100 refusals, so a box that is begun hardly ever fails.
 */
const probes = 100
const freeProbes = 5
const plainTries = 100

/**
 * Whether every range has available ids left. The probes use separate randomness, so that they
 * cannot favour a box.
 */
export async function hasStock(
  { emojiIds }: Deps,
  trx: Transaction,
  { config, emojis }: BoxRecipe,
): Promise<boolean> {
  const { min_length, max_length } = config
  for (const { min_score, max_score } of rangesOf(config)) {
    const pattern = { min_length, max_length, min_score, max_score, emojis: [...emojis] }
    let free = 0
    for (let triedCount = 0; free < freeProbes; triedCount += freeProbes) {
      if (triedCount >= probes) return false
      const ids: EmojiId[] = []
      for (let n = 0; n < freeProbes; n++) {
        await takeTurn()
        const id = randomFitting(pattern, (below) => randomInt(below), plainTries)
        if (id) ids.push(id)
      }
      const statuses = await emojiIds.findStatuses(ids, undefined, trx)
      free += ids.filter((id) => !reasonAgainst(statuses.get(id))).length
    }
  }
  return true
}
