import { alphabetIndex, emojiAlphabet } from './alphabet.ts'
import { emojisOf } from './formats.ts'
import { detailLines, emojiGroups } from './generated/details.ts'
import type { EmojiId } from './parse.ts'
import { slugOf } from './shortnames.ts'

export type EmojiGroup = keyof typeof emojiGroups
export type EmojiDetails = {
  emoji: string
  slug: string
  name: string
  group: EmojiGroup
  keywords: string[]
}

export { emojiGroups }

let details: readonly EmojiDetails[] | undefined

/** Names and search words of all emojis, in alphabet order. */
export function emojiDetails(): readonly EmojiDetails[] {
  details ??= detailLines
    .trim()
    .split('\n')
    .map((line, index) => {
      const [name, group, keywords] = line.split('|') as [string, EmojiGroup, string]
      const emoji = emojiAlphabet[index] as string
      return { emoji, slug: slugOf(emoji) as string, name, group, keywords: keywords.split(' ') }
    })
  return details
}

export function detailsOf(emoji: string): EmojiDetails | undefined {
  const index = alphabetIndex(emoji.codePointAt(0) ?? -1)
  return index === undefined ? undefined : emojiDetails()[index]
}

/** The spoken form of the id: "fire, snake". */
export function spokenName(id: EmojiId): string {
  return emojisOf(id)
    .map((emoji) => detailsOf(emoji)?.name)
    .join(', ')
}
