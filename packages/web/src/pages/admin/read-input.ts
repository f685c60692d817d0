import { EmojiIdError, parseEmojiId } from '@emojid/core'
import { idInAddress, readText, textOf } from '../search/read-text.ts'

/** The id that a text consists of, in its canonical format. */
function readId(text: string): string | undefined {
  try {
    return parseEmojiId(text.trim())
  } catch (error) {
    if (error instanceof EmojiIdError) return undefined
    throw error
  }
}

/** Also reads names such as “fire snake”, and the address of an id's page. */
export function readTypedId(text: string): string | undefined {
  const { pieces, rest } = readText(idInAddress(text, window.location.origin))
  return rest.trim() === '' ? readId(textOf(pieces)) : undefined
}

/** The search text of a list: an id is its own filter. */
export function searchFilter(text: string | undefined): { q?: string; emoji_id?: string } {
  if (!text) return {}
  const emoji_id = readId(text)
  return emoji_id ? { emoji_id } : { q: text }
}

/** The non-empty lines of a text. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
