import { emojiSequence, tonedEmojis } from './generated/alphabet.ts'

export const ALPHABET_VERSION = 1
export const VS15 = 0xfe0e
export const VS16 = 0xfe0f

export const skinTones = ['🏻', '🏼', '🏽', '🏾', '🏿'] as const
export type SkinTone = (typeof skinTones)[number]

/** The emojis of version 1 in their permanent order, each fully qualified. */
export const emojiAlphabet: readonly string[] = /* @__PURE__ */ splitEmojis(emojiSequence)

let indexByBase: Map<number, number> | undefined
let toneTakers: Set<number> | undefined

/** First code point of an emoji → its index in the alphabet. */
export function alphabetIndex(codePoint: number): number | undefined {
  indexByBase ??= new Map(
    emojiAlphabet.map((emoji, index) => [emoji.codePointAt(0) as number, index]),
  )
  return indexByBase.get(codePoint)
}

export function takesTone(codePoint: number): boolean {
  toneTakers ??= new Set(splitEmojis(tonedEmojis).map((emoji) => emoji.codePointAt(0) as number))
  return toneTakers.has(codePoint)
}

export function isTone(codePoint: number): boolean {
  return codePoint >= 0x1f3fb && codePoint <= 0x1f3ff
}

/**
 * Every emoji of the alphabet is one code point with or without VS16, so no grapheme rules are
 * needed.
 */
export function splitEmojis(text: string): string[] {
  return text.match(/.\uFE0F?/gsu) ?? []
}
