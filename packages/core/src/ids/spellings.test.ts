import punycode from 'node:punycode'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emojiAlphabet } from './alphabet.ts'
import { EmojiIdError } from './emoji-id-error.ts'
import { parseEmojiId } from './parse.ts'
import { shortname } from './shortnames.ts'
import { parseSpelling } from './spellings.ts'

const ids = fc
  .array(fc.constantFrom(...emojiAlphabet), { minLength: 1, maxLength: 6 })
  .map((emojis) => emojis.join(''))

describe('parseSpelling', () => {
  it('leads from every spelling of an id to the id', () => {
    fc.assert(
      fc.property(ids, fc.boolean(), (id, isUpper) => {
        const plain = id.replaceAll('\ufe0f', '')
        const labels = [plain, id].map((text) => `xn--${punycode.encode(text)}`)
        for (const text of [id, plain, shortname(parseEmojiId(id)), ...labels]) {
          expect(parseSpelling(isUpper ? text.toUpperCase() : text)).toBe(id)
        }
      }),
    )
    expect(parseSpelling('xn--4n8hpr')).toBe('🔥🐍')
  })

  it.each([
    ['xn--', 'is not the label of an emoji id'],
    ['xn---', 'is not the label of an emoji id'],
    ['xn--99999999999', 'is not the label of an emoji id'],
    ['xn--a', 'U+0080'],
    // Two surrogates would be a second label of 🔥.
    [`xn--${punycode.encode('\ud83d')}`, 'is not the label of an emoji id'],
    [`xn--${punycode.encode('🔥🐍')}x`, 'is not the label of an emoji id'],
    [`xn--${'a'.repeat(60)}`, 'is not the label of an emoji id'],
    [`xn--${punycode.encode('a🔥')}`, '“a” at position 1'],
    ['fire.snakee', '“snakee” is not the name of an emoji'],
    ['fire..snake', 'A name is missing at position 2'],
    ['.fire', 'A name is missing at position 1'],
    ['fire.fire.fire.fire.fire.fire.fire', 'at most 6 emojis'],
    ['_dmarc', '“_” at position 1'],
    ['admin', '“a” at position 1'],
    ['', 'empty'],
  ])('rejects %j', (text, words) => {
    expect(() => parseSpelling(text)).toThrow(EmojiIdError)
    expect(() => parseSpelling(text)).toThrow(words)
  })
})
