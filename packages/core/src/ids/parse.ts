import { emojiAlphabet, type SkinTone } from './alphabet.ts'
import { EmojiIdError } from './emoji-id-error.ts'
import { tokenise } from './tokenise.ts'

declare const brand: unique symbol

/** An emoji id in its canonical form: fully qualified emojis, no skin tones. Equal ids are equal strings. */
export type EmojiId = string & { readonly [brand]: 'EmojiId' }

/** Typed text: the id and its skin tones, one entry per emoji. */
export type TonedEmojiId = { id: EmojiId; tones: (SkinTone | undefined)[] }

/** Parses an emoji id in any of its spellings; throws `EmojiIdError`. */
export function parseEmojiId(text: string): EmojiId {
  return join(tokenise(text).indexes)
}

/** Parses one percent-encoded path segment. Decodes exactly once and accepts valid UTF-8 only. */
export function parseEmojiIdSegment(segment: string): EmojiId {
  return parseEmojiId(decodeSegment(segment))
}

export function parseTonedEmojiId(text: string): TonedEmojiId {
  const { indexes, tones } = tokenise(text)
  return { id: join(indexes), tones }
}

export function isEmojiId(text: string): text is EmojiId {
  try {
    return parseEmojiId(text) === text
  } catch {
    return false
  }
}

export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new EmojiIdError('encoding', 'The emoji id is not valid percent-encoded UTF-8.')
  }
}

function join(indexes: readonly number[]): EmojiId {
  let canonical = ''
  for (const index of indexes) canonical += emojiAlphabet[index]
  return canonical as EmojiId
}
