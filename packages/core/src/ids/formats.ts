import { type SkinTone, splitEmojis, takesTone } from './alphabet.ts'
import { type EmojiId, parseTonedEmojiId } from './parse.ts'

export function emojisOf(id: EmojiId): string[] {
  return splitEmojis(id)
}

/** The form used in token metadata and signatures: no variation selectors. */
export function chainFormat(id: EmojiId): string {
  return id.replaceAll('\uFE0F', '')
}

/**
 * The id as its owner displays it. A tone replaces the selector, as Unicode spells toned emojis.
 */
export function displayFormat(id: EmojiId, tones: readonly (SkinTone | undefined)[] = []): string {
  return emojisOf(id)
    .map((emoji, place) => {
      const tone = tones[place]
      const base = emoji.codePointAt(0) as number
      return tone !== undefined && takesTone(base) ? String.fromCodePoint(base) + tone : emoji
    })
    .join('')
}

/** The display form of a text that may carry tones. */
export function toDisplayFormat(text: string): string {
  const { id, tones } = parseTonedEmojiId(text)
  return displayFormat(id, tones)
}
