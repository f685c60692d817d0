import { type BoxConfig, type BoxRecipe, emojiAlphabet, heldBackEmojis } from '@emojid/core'
import { refusalIn } from '../../../platform/errors.ts'
import type { Standing } from '../../directory/emoji-ids/index.ts'

const idsAtMost = 500

export function assertFew({ size }: BoxConfig, count: number): void {
  if (size * count > idsAtMost) throw tooMany(Math.floor(idsAtMost / size))
}

/** How a box is drawn now; later releases of emojis change nothing about it. */
export const recipeFor = (config: BoxConfig): BoxRecipe => ({
  algorithm: 2,
  config,
  emojis: emojiAlphabet.filter((emoji) => !heldBackEmojis().has(emoji)),
})

/** Why an id that was drawn cannot be had; nothing when it can. */
export function reasonAgainst(standing: Standing | undefined) {
  if (standing?.owned) return 'owned'
  if (standing?.isReserved) return 'reserved'
  return standing?.isHeld ? 'held' : undefined
}

export const exhausted = () =>
  refusalIn(
    'loot_box_type_id',
    'refused',
    'exhausted_range',
    'Ids of one of its ranges ran out: no more boxes are drawn by this type.',
  )

const tooMany = (boxes: number) =>
  refusalIn(
    'num_boxes',
    'refused',
    'too_many_boxes',
    `At most ${boxes} boxes of this size are drawn at once.`,
    'too_many',
  )
