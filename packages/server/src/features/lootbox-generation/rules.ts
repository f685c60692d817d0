import { type BoxConfig, type BoxRecipe, emojiAlphabet, heldBackEmojis } from '@emojid/core'
import { inField, ServiceError } from '../../platform/errors.ts'
import type { Standing } from '../emoji-ids/index.ts'

const idsAtMost = 500

export function assertFew({ size }: BoxConfig, count: number): void {
  if (size * count > idsAtMost) throw new TooManyError(Math.floor(idsAtMost / size))
}

/** How a box is drawn now; later releases of emojis change nothing about it. */
export const recipeFor = (config: BoxConfig): BoxRecipe => ({
  ...{ algorithm: 2, config },
  emojis: emojiAlphabet.filter((emoji) => !heldBackEmojis().has(emoji)),
})

/** Why an id that was drawn cannot be had; nothing when it can. */
export function reasonAgainst(standing: Standing | undefined) {
  if (standing?.owned) return 'owned'
  if (standing?.isReserved) return 'reserved'
  return standing?.isHeld ? 'held' : undefined
}

export class ExhaustedError extends ServiceError {
  override readonly name = 'LootboxGeneration.ExhaustedError'
  constructor() {
    const message = 'Ids of one of its ranges ran out: no more boxes are drawn by this type.'
    const details = inField('loot_box_type_id', 'range_exhausted', message)
    super('refused', 'range_exhausted', message, details)
  }
}

class TooManyError extends ServiceError {
  override readonly name = 'LootboxGeneration.TooManyError'
  constructor(boxes: number) {
    const message = `At most ${boxes} boxes of this size are drawn at once.`
    super('refused', 'too_many_boxes', message, inField('num_boxes', 'too_many', message))
  }
}
