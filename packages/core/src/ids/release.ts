import { emojisOf } from './formats.ts'
import { heldBackText } from './generated/held-back.ts'
import type { EmojiId } from './parse.ts'

/** The reason why an emoji is not on sale yet, and the released emoji it resembles, if any. */
export type HeldEmoji = { reason: string; conflicts_with: string | null }

let heldBack: Map<string, HeldEmoji> | undefined

export function heldBackEmojis(): ReadonlyMap<string, HeldEmoji> {
  heldBack ??= new Map(
    heldBackText.split(' ').map((row) => {
      const [emoji, reason, other] = row.split(',') as [string, string, string]
      return [emoji, { reason, conflicts_with: other || null }]
    }),
  )
  return heldBack
}

/** Every id can be looked up; only ids of released emojis are on sale. */
export function isReleased(id: EmojiId): boolean {
  return emojisOf(id).every((emoji) => !heldBackEmojis().has(emoji))
}
