import {
  displayFormat,
  EmojiIdError,
  emojiAlphabet,
  emojiSlugs,
  parseTonedEmojiId,
} from '@emojid/core'
import { decodeText } from '../../api/parameters.ts'

/** A chosen emoji, or text that cannot be part of an id. */
export type Piece = {
  text: string
  /** The error and its position. */
  fault?: string
}
export type ReadText = { pieces: Piece[] /** The unread words. */; rest: string }
export type NameLookup = (slug: string) => string | undefined

const longestName = 6
const separator = /^[\s.,;·\u200B\u200E\u200F\u2060]+$/u
const wordPart = /^[\p{L}\p{M}\p{N}'’_-]+$/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

let emojiBySlug: Map<string, string> | undefined

const emojiOfSlug: NameLookup = (slug) => {
  emojiBySlug ??= new Map(
    emojiSlugs().map((knownText, nth) => [knownText, emojiAlphabet[nth] as string]),
  )
  return emojiBySlug.get(slug)
}

/** Extracts the id from a pasted page URL; returns other text unchanged. */
export function idInAddress(text: string, site: string): string {
  const address = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  if (!address || address.origin !== new URL(site).origin) return text
  const { pathname, searchParams } = address
  const queryText = searchParams.get('q') ?? searchParams.get('emoji_id')
  return pathname === '/' ? (queryText ?? '') : decodeText(pathname.split('/')[1] ?? '')
}

/** Turns emojis into pieces and keeps words. A joined emoji is one invalid piece, never its parts. */
export function readEmojis(text: string): ReadText {
  const pieces: Piece[] = []
  let rest = ''
  for (const { segment } of graphemes.segment(text)) {
    if (separator.test(segment) || wordPart.test(segment)) rest += segment
    else pieces.push(readPiece(segment, pieces.length))
  }
  return { pieces, rest: rest.trim() === '' ? '' : rest }
}

/** Like `readEmojis`, and turns names into pieces in their written order. */
export function readText(text: string, lookup: NameLookup = emojiOfSlug): ReadText {
  const pieces: Piece[] = []
  const unknown: string[] = []
  let words: string[] = []
  const endWords = () => {
    for (const read of readNames(words, lookup)) {
      if (read.emoji) pieces.push({ text: read.emoji })
      else unknown.push(read.word)
    }
    words = []
  }
  let word = ''
  const endWord = () => {
    if (word) words.push(word)
    word = ''
  }
  for (const { segment } of graphemes.segment(text)) {
    if (wordPart.test(segment)) word += segment
    else endWord()
    if (wordPart.test(segment) || separator.test(segment)) continue
    endWords()
    pieces.push(readPiece(segment, pieces.length))
  }
  endWord()
  endWords()
  return { pieces, rest: unknown.join(' ') }
}

/** The text of the pieces, as in the URL. */
export const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

/** Updates the positions in the errors after pieces were added or removed. */
export const inPlace = (pieces: readonly Piece[]): Piece[] =>
  pieces.map(({ text }, nth) => readPiece(text, nth))

function readPiece(text: string, place: number): Piece {
  try {
    const { id, tones } = parseTonedEmojiId(text)
    return { text: displayFormat(id, tones) }
  } catch (error) {
    if (!(error instanceof EmojiIdError)) throw error
    // The error counts from the single piece, not from the whole text.
    return { text, fault: error.message.replace(/at position \d+/, `at position ${place + 1}`) }
  }
}

type ReadName = { word: string; emoji: string | undefined }

/** The longest name first: “palm tree” is one emoji. */
function readNames(words: readonly string[], lookup: NameLookup): ReadName[] {
  const [first, ...others] = words
  if (first === undefined) return []
  for (let length = Math.min(words.length, longestName); length > 0; length--) {
    const emoji = lookup(words.slice(0, length).join('-').toLowerCase())
    if (emoji) return [{ word: first, emoji }, ...readNames(words.slice(length), lookup)]
  }
  return [{ word: first, emoji: undefined }, ...readNames(others, lookup)]
}
