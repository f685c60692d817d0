import { type EmojiDetails, type EmojiGroup, emojiDetails, emojiGroups } from '@emojid/core'

export type { EmojiDetails, EmojiGroup }

/** The names and keywords of all emojis, loaded after the page renders. */
export const groups = Object.keys(emojiGroups) as EmojiGroup[]

export const inGroup = (group: EmojiGroup): EmojiDetails[] =>
  emojiDetails().filter((emoji) => emoji.group === group)

const slugged = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '-')

let emojiByName: Map<string, string> | undefined

/** Finds an emoji by short or full name: “hundred”, “hundred points”. */
export function emojiNamed(name: string): string | undefined {
  emojiByName ??= new Map([
    ...emojiDetails().map((one) => [slugged(one.name), one.emoji] as const),
    ...emojiDetails().map((one) => [one.slug, one.emoji] as const),
  ])
  return emojiByName.get(name)
}

/** Emojis whose name or keywords match all words, best first. */
export function findEmojis(typedText: string): EmojiDetails[] {
  const words = typedText
    .toLowerCase()
    .split(/[\s.,_-]+/)
    .filter(Boolean)
  if (words.length === 0) return []
  return emojiDetails()
    .map((emoji) => ({ emoji, rank: rankOf(emoji, words) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank)
    .map(({ emoji }) => emoji)
}

/** Lower is better: a match in the name comes before one in the keywords. */
function rankOf({ slug, name, keywords }: EmojiDetails, words: readonly string[]): number {
  const whole = words.join('-')
  if (slug === whole) return 0
  if (slugged(name) === whole) return 1
  const names = [...slug.split('-'), ...name.toLowerCase().split(/[\s-]+/)]
  const ranks = words.map((word) => {
    if (names.includes(word)) return 2
    if (keywords.includes(word)) return 3
    if (names.some((knownText) => knownText.startsWith(word))) return 4
    if (keywords.some((knownText) => knownText.startsWith(word))) return 5
    return Number.POSITIVE_INFINITY
  })
  return Math.max(...ranks)
}
