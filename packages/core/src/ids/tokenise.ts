import {
  alphabetIndex,
  emojiAlphabet,
  isTone,
  type SkinTone,
  skinTones,
  takesTone,
  VS15,
  VS16,
} from './alphabet.ts'
import { describeForeign, describeModifier } from './describe-fault.ts'
import { EmojiIdError } from './emoji-id-error.ts'

export const MAX_EMOJIS = 6
const MAX_CODE_POINTS = 64

/** Indexes in the alphabet, and the tone of each emoji that has one. */
export type Tokens = { indexes: number[]; tones: (SkinTone | undefined)[] }

/**
 * Parses `BASE VS? (TONE VS16?)?` one to six times. The alphabet is the only authority: neither
 * Unicode normalisation nor grapheme segmentation separates toned, styled or joined emojis as ids
 * need it.
 */
export function tokenise(text: string): Tokens {
  if (text === '')
    throw new EmojiIdError('empty', 'An emoji id has one to six emojis; this is empty.')
  if (text.length > MAX_CODE_POINTS) refuseOverlong(text)
  const indexes: number[] = []
  const tones: (SkinTone | undefined)[] = []
  for (let at = 0; at < text.length; ) {
    const base = text.codePointAt(at) as number
    const index = alphabetIndex(base)
    if (index === undefined) throw foreignError(text, at, base, indexes.length)
    if (indexes.length === MAX_EMOJIS) throw tooMany(text, at)
    at += base > 0xffff ? 2 : 1
    const style = text.charCodeAt(at)
    if (style === VS15 || style === VS16) at += 1
    let tone: SkinTone | undefined
    if (text.charCodeAt(at) === 0xd83c && isTone(text.codePointAt(at) as number)) {
      const codePoint = text.codePointAt(at) as number
      if (!takesTone(base))
        throw misplacedError(text, at, codePoint, indexes.length, emojiAlphabet[index])
      tone = skinTones[codePoint - 0x1f3fb]
      at += 2
      if (text.charCodeAt(at) === VS16) at += 1
    }
    indexes.push(index)
    tones.push(tone)
  }
  return { indexes, tones }
}

function foreignError(text: string, at: number, codePoint: number, token: number): EmojiIdError {
  if (codePoint === VS15 || codePoint === VS16 || isTone(codePoint))
    return misplacedError(text, at, codePoint, token)
  const position = { token, codePoint: codePointOffset(text, at) }
  const offending = String.fromCodePoint(codePoint)
  return new EmojiIdError('character', describeForeign(codePoint, token), position, offending)
}

function misplacedError(text: string, at: number, codePoint: number, token: number, previous = '') {
  const position = { token, codePoint: codePointOffset(text, at) }
  const message = describeModifier(codePoint, previous, token)
  return new EmojiIdError('modifier', message, position, String.fromCodePoint(codePoint))
}

function tooMany(text: string, at: number): EmojiIdError {
  const message = `An emoji id has at most ${MAX_EMOJIS} emojis; this has more.`
  const position = { token: MAX_EMOJIS, codePoint: codePointOffset(text, at) }
  return new EmojiIdError(
    'length',
    message,
    position,
    String.fromCodePoint(text.codePointAt(at) ?? 0),
  )
}

function refuseOverlong(text: string): void {
  let count = 0
  for (const _ of text) {
    count += 1
    if (count > MAX_CODE_POINTS)
      throw new EmojiIdError(
        'length',
        `An emoji id has at most ${MAX_EMOJIS} emojis; this is longer.`,
      )
  }
}

function codePointOffset(text: string, at: number): number {
  return [...text.slice(0, at)].length
}
