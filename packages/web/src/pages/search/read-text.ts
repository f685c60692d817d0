import {
  displayFormat,
  EmojiIdError,
  emojiAlphabet,
  emojiSlugs,
  parseTonedEmojiId,
} from '@emojid/core'
import { decoded } from '../../api/parameters.ts'

/** One emoji that somebody chose, or something that cannot be part of an id. */
export type Piece = {
  text: string
  /** What is wrong with it, and where it stands. */
  fault?: string
}
export type ReadText = { pieces: Piece[] /** What is left of the words. */; rest: string }
export type NameLookup = (slug: string) => string | undefined

const longestName = 6
const separator = /^[\s.,;·\u200B\u200E\u200F\u2060]+$/u
const wordPart = /^[\p{L}\p{M}\p{N}'’_-]+$/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

let emojiBySlug: Map<string, string> | undefined

const emojiOfSlug: NameLookup = (slug) => {
  emojiBySlug ??= new Map(emojiSlugs().map((known, nth) => [known, emojiAlphabet[nth] as string]))
  return emojiBySlug.get(slug)
}

/** Somebody copied the address of a page: the id that it is about. All else stays as it is. */
export function idInAddress(text: string, site: string): string {
  const address = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  if (!address || address.origin !== new URL(site).origin) return text
  const { pathname, searchParams } = address
  const written = searchParams.get('q') ?? searchParams.get('emoji_id')
  return pathname === '/' ? (written ?? '') : decoded(pathname.split('/')[1] ?? '')
}

/** Emojis become pieces, words stay. A joined emoji is one wrong piece, never its parts. */
export function readEmojis(text: string): ReadText {
  const pieces: Piece[] = []
  let rest = ''
  for (const { segment } of graphemes.segment(text)) {
    if (separator.test(segment) || wordPart.test(segment)) rest += segment
    else pieces.push(readPiece(segment, pieces.length))
  }
  return { pieces, rest: rest.trim() === '' ? '' : rest }
}

/** The same, and names become pieces too, in the order in which all of it was written. */
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

/** Writes pieces as they stand in the address. */
export const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

/** Tells anew where wrong pieces stand, after others came or went before them. */
export const inPlace = (pieces: readonly Piece[]): Piece[] =>
  pieces.map(({ text }, nth) => readPiece(text, nth))

function readPiece(text: string, place: number): Piece {
  try {
    const { id, tones } = parseTonedEmojiId(text)
    return { text: displayFormat(id, tones) }
  } catch (thrown) {
    if (!(thrown instanceof EmojiIdError)) throw thrown
    // It was read alone, and stands among others.
    return { text, fault: thrown.message.replace(/at position \d+/, `at position ${place + 1}`) }
  }
}

type ReadName = { word: string; emoji: string | undefined }

/** The longest names first: “palm tree” is one emoji. */
function readNames(words: readonly string[], lookup: NameLookup): ReadName[] {
  const [first, ...others] = words
  if (first === undefined) return []
  for (let length = Math.min(words.length, longestName); length > 0; length--) {
    const emoji = lookup(words.slice(0, length).join('-').toLowerCase())
    if (emoji) return [{ word: first, emoji }, ...readNames(words.slice(length), lookup)]
  }
  return [{ word: first, emoji: undefined }, ...readNames(others, lookup)]
}
