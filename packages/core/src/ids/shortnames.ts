import { alphabetIndex, emojiAlphabet } from './alphabet.ts'
import { EmojiIdError } from './emoji-id-error.ts'
import { emojisOf } from './formats.ts'
import { slugText } from './generated/slugs.ts'
import { type EmojiId, parseEmojiId, parseTonedEmojiId } from './parse.ts'

let slugs: readonly string[] | undefined
let emojiBySlug: Map<string, string> | undefined

export function emojiSlugs(): readonly string[] {
  slugs ??= slugText.split(' ')
  return slugs
}

export function slugOf(emoji: string): string | undefined {
  const index = alphabetIndex(emoji.codePointAt(0) ?? -1)
  return index === undefined ? undefined : emojiSlugs()[index]
}

/** One slug per emoji of the id. */
export function shortNames(id: EmojiId): string[] {
  return emojisOf(id).map((emoji) => slugOf(emoji) as string)
}

export const nameOfEmoji = (emoji: string): string => slugOf(emoji)?.replaceAll('-', ' ') ?? emoji

/** The name of an id in any form, as screen readers speak it. */
export const spokenNames = (display: string): string =>
  emojisOf(parseTonedEmojiId(display).id).map(nameOfEmoji).join(', ')

export function shortname(id: EmojiId): string {
  return shortNames(id).join('.')
}

function slugMap(): Map<string, string> {
  emojiBySlug ??= new Map(emojiSlugs().map((slug, index) => [slug, emojiAlphabet[index] as string]))
  return emojiBySlug
}

/** Whether a part of the text is the name of an emoji. */
export const isPartlyShortname = (text: string): boolean =>
  text
    .toLowerCase()
    .split('.', 8)
    .some((part) => slugMap().has(part))

/** Parses slugs joined by dots, in any letter case; throws `EmojiIdError`. */
export function parseShortname(text: string): EmojiId {
  if (text === '') return parseEmojiId('')
  const emojiOf = slugMap()
  const emojis: string[] = []
  let codePoint = 0
  for (const slug of text.toLowerCase().split('.', 8)) {
    const emoji = emojiOf.get(slug)
    if (emoji === undefined) {
      const excerpt = slug.length > 40 ? `${slug.slice(0, 40)}…` : slug
      const message =
        slug === ''
          ? `A name is missing at position ${emojis.length + 1}. Join names by single dots, such as fire.snake.`
          : `“${excerpt}” is not the name of an emoji that an emoji id can use.`
      throw new EmojiIdError('character', message, { token: emojis.length, codePoint }, slug)
    }
    emojis.push(emoji)
    codePoint += slug.length + 1
  }
  return parseEmojiId(emojis.join(''))
}
