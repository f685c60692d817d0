import { type BoxConfig, type BoxRecipe, emojiAlphabet, heldBackEmojis } from '@emojid/core'
import { inField, ServiceError } from '../../platform/errors.ts'
import type { Standing } from '../emoji-ids/index.ts'

const idsAtMost = 500

export function assertFew({ size }: BoxConfig, count: number): void {
  if (size * count > idsAtMost) throw new TooManyError(Math.floor(idsAtMost / size))
}

/** How a box is drawn now; later releases of emojis change nothing about it. */
export const recipeFor = (config: BoxConfig): BoxRecipe => ({
  ...{ algorithm: 1, config },
  emojis: emojiAlphabet.filter((emoji) => !heldBackEmojis().has(emoji)),
})

/** Why an id that was drawn cannot be had; nothing when it can. */
export function reasonAgainst(standing: Standing | undefined, isDrawn: boolean) {
  if (isDrawn) return 'in_another_box'
  if (standing?.owned) return 'owned'
  if (standing?.isReserved) return 'reserved'
  return standing?.isHeld ? 'held' : undefined
}

class TooManyError extends ServiceError {
  override readonly name = 'LootboxGeneration.TooManyError'
  constructor(boxes: number) {
    const message = `At most ${boxes} boxes of this size are drawn at once.`
    super('refused', 'too_many_boxes', message, inField('num_boxes', 'too_many', message))
  }
}
