import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emojiAlphabet, skinTones, splitEmojis } from './alphabet.ts'
import { EmojiIdError } from './emoji-id-error.ts'
import { chainFormat, displayFormat, emojisOf } from './formats.ts'
import {
  type EmojiId,
  isEmojiId,
  parseEmojiId,
  parseEmojiIdSegment,
  parseTonedEmojiId,
} from './parse.ts'
import { parseShortname, shortname } from './shortnames.ts'

const emoji = fc.constantFrom(...emojiAlphabet)
const anyId = fc
  .array(emoji, { minLength: 1, maxLength: 6 })
  .map((emojis) => emojis.join('') as EmojiId)
const toned = new Set(splitEmojis('💃✍️👃🤘👶🤝👎🖖💪👏✊👌👍✌️🤳👂💅👉🙏🙌👋'))

/** One emoji in one of its equivalent spellings. */
const spelling = fc
  .tuple(
    emoji,
    fc.constantFrom('', '\uFE0E', '\uFE0F'),
    fc.constantFrom('', ...skinTones),
    fc.boolean(),
  )
  .map(([canonical, style, tone, styleAfter]) => {
    const base = String.fromCodePoint(canonical.codePointAt(0) as number)
    const dressed = toned.has(canonical) && tone !== '' ? tone + (styleAfter ? '\uFE0F' : '') : ''
    return { canonical, spelled: base + style + dressed }
  })

describe('parseEmojiId', () => {
  it('returns the same id for every spelling', () => {
    fc.assert(
      fc.property(fc.array(spelling, { minLength: 1, maxLength: 6 }), (parts) => {
        const id = parts.map((part) => part.canonical).join('')
        const text = parts.map((part) => part.spelled).join('')
        expect(parseEmojiId(text)).toBe(id)
        expect(parseEmojiIdSegment(encodeURIComponent(text))).toBe(id)
      }),
    )
  })

  it('distinguishes different ids, in every format', () => {
    fc.assert(
      fc.property(anyId, anyId, (a, b) => {
        fc.pre(a !== b)
        expect(chainFormat(a)).not.toBe(chainFormat(b))
        expect(shortname(a)).not.toBe(shortname(b))
      }),
    )
  })

  it('parses each of its formats', () => {
    fc.assert(
      fc.property(anyId, fc.array(fc.constantFrom(...skinTones, undefined)), (id, tones) => {
        expect(parseEmojiId(id)).toBe(id)
        expect(parseEmojiId(chainFormat(id))).toBe(id)
        expect(parseEmojiId(displayFormat(id, tones))).toBe(id)
        expect(parseShortname(shortname(id))).toBe(id)
        expect(emojisOf(id).join('')).toBe(id)
      }),
    )
  })

  it('returns an id or a listed error for any bytes', () => {
    const kinds = ['encoding', 'empty', 'length', 'character', 'modifier']
    const byte = fc.oneof(fc.constantFrom(0xf0, 0x9f, 0x94, 0xa5, 0xef, 0xb8, 0x8f), fc.nat(255))
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), (bytes) => {
        const segment = bytes.map((b) => `%${b.toString(16).padStart(2, '0')}`).join('')
        const outcome = outcomeOf(() => parseEmojiIdSegment(segment))
        expect(isEmojiId(outcome) || kinds.includes(outcome)).toBe(true)
      }),
      { numRuns: 600 },
    )
  })

  it('returns an id or a listed error for any text', () => {
    const piece = fc.oneof(
      emoji,
      fc.string({ unit: 'binary', maxLength: 2 }),
      fc.constantFrom(...skinTones),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const outcome = outcomeOf(() => parseEmojiId(pieces.join('')))
        expect(outcome === '' || outcome.startsWith('crash')).toBe(false)
      }),
      { numRuns: 400 },
    )
  })

  it('decodes once, so a doubly encoded id is text', () => {
    expect(outcomeOf(() => parseEmojiIdSegment(encodeURIComponent('%F0%9F%94%A5')))).toBe(
      'character',
    )
  })

  it('keeps the typed skin tones', () => {
    const { id, tones } = parseTonedEmojiId('👋🏻🔥👏🏿')
    expect([id, tones]).toEqual(['👋🔥👏', ['🏻', undefined, '🏿']])
    expect(displayFormat(id, tones)).toBe('👋🏻🔥👏🏿')
    expect(displayFormat(id, ['🏿', '🏿'])).toBe('👋🏿🔥👏')
  })

  it.each([
    ['🔥💙🐍', 'character', 1, 1, '💙', '💙 at position 2 is not one of the emojis'],
    ['❤️‍🔥', 'character', 1, 2, '\u200d', 'an invisible joiner'],
    ['🔥🔥x', 'character', 2, 2, 'x', '“x” at position 3 is not an emoji'],
    [
      '🔥 🐍',
      'character',
      1,
      1,
      ' ',
      'There is a space at position 2. An emoji id contains emojis only.',
    ],
    ['🔥🐍\uFE0F\uFE0F', 'modifier', 2, 3, '\uFE0F', 'There is an invisible emoji style mark at'],
    ['\uFE0E', 'modifier', 0, 0, '\uFE0E', 'There is an invisible text style mark at position 1'],
    ['👋🏻🔥🏿', 'modifier', 1, 3, '🏿', '🔥 at position 2 can’t have a skin tone.'],
    ['❤🏿', 'modifier', 0, 1, '🏿', '❤️ at position 1 can’t have a skin tone.'],
    ['👋🏻🏿', 'modifier', 1, 2, '🏿', 'The skin tone at position 2 does not follow an emoji.'],
    ['🇫🇷', 'character', 0, 0, '🇫', 'There is a flag at position 1. Flags can’t be part'],
    ['🔥\u2060', 'character', 1, 1, '\u2060', 'The character U+2060 at position 2 can’t be part'],
    ['🔥🔥🔥🔥🔥🔥🐍', 'length', 6, 6, '🐍', 'at most 6 emojis'],
    ['🔥\uD83D', 'character', 1, 1, '\uD83D', 'U+D83D'],
    ['', 'empty', 0, 0, '', 'this is empty'],
  ])(
    '%s is rejected as %s with position and message',
    (text, kind, token, codePoint, offending, words) => {
      const error = errorOf(() => parseEmojiId(text))
      expect(error).toMatchObject({ kind, position: { token, codePoint }, offending })
      expect(error?.message).toContain(words)
    },
  )
})

describe('parseShortname', () => {
  it('accepts any letter case', () => expect(parseShortname('Fire.SNAKE')).toBe('🔥🐍'))

  it('reports a missing name', () => {
    expect(errorOf(() => parseShortname('fire..snake'))?.message).toBe(
      'A name is missing at position 2. Join names by single dots, such as fire.snake.',
    )
  })

  it.each([
    ['', 'empty'],
    ['fire.', 'character'],
    ['fire.fyre', 'character'],
    ['constructor', 'character'],
    ['fire.fire.fire.fire.fire.fire.fire', 'length'],
    [`fire.${'x'.repeat(100_000)}`, 'character'],
  ])('rejects %.20s as %s', (text, kind) => {
    expect(outcomeOf(() => parseShortname(text))).toBe(kind)
  })
})

function outcomeOf(parse: () => EmojiId): string {
  try {
    return parse()
  } catch (error) {
    return error instanceof EmojiIdError ? error.kind : `crash ${error}`
  }
}

function errorOf(parse: () => EmojiId): EmojiIdError | undefined {
  try {
    parse()
    return undefined
  } catch (error) {
    return error as EmojiIdError
  }
}
