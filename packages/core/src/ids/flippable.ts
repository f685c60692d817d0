import { splitEmojis } from './alphabet.ts'
import { emojisOf } from './formats.ts'
import { flippableEmojis } from './generated/flippable.ts'
import type { EmojiId } from './parse.ts'

let flippable: Set<string> | undefined

/** Per emoji of the id: true if its mirror image looks different and means the same. */
export function flippableEmoji(id: EmojiId): boolean[] {
  flippable ??= new Set(splitEmojis(flippableEmojis))
  return emojisOf(id).map((emoji) => (flippable as Set<string>).has(emoji))
}
