import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { parseJsonBody } from './json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('any bytes', () => {
  it('parse to a value or a refusal, never to another error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
        try {
          parseJsonBody(input)
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError)
        }
      }),
    )
  })
})

describe('storable JSON', () => {
  it('is parsed exactly', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!/\\u0000|\\ud[89a-f]|__proto__|constructor/i.test(text))
        expect(parseJsonBody(bytes(text))).toEqual(JSON.parse(text))
      }),
    )
  })
})

describe('members', () => {
  it.each([
    ['{}', 0],
    ['[ ]', 0],
    ['[[]]', 1],
    ['{"a":{}}', 1],
    ['[1]', 1],
    ['[1,"2",null,4,5,6,7,8]', 1],
    ['[1,2,3,4,5,6,7,8,9]', 2],
    ['{"a":1,"b":[2,3]}', 3],
    ['[{"a":"[,{"},"\\",{"]', 3],
    ['[\n{ },\t[ ]]', 2],
  ])('of %s are counted at every level, eight plain elements as one', (text, members) => {
    expect(parseJsonBody(bytes(text), members)).toEqual(JSON.parse(text))
    if (members > 0) {
      expect(() => parseJsonBody(bytes(text), members - 1)).toThrow(
        expect.objectContaining({ kind: 'too_large' }),
      )
    }
  })

  it('are limited to 2,000 unless the route allows more', () => {
    const list = (length: number, one: unknown = {}) =>
      bytes(JSON.stringify(Array(length).fill(one)))

    expect(parseJsonBody(list(2_000))).toHaveLength(2_000)
    expect(() => parseJsonBody(list(2_001))).toThrow('2,000 members')
    expect(parseJsonBody(list(2_001), 3_000)).toHaveLength(2_001)
    expect(parseJsonBody(list(16_000, 0))).toHaveLength(16_000)
    expect(() => parseJsonBody(list(16_001, 0))).toThrow('2,000 members')
  })
})

describe('white space', () => {
  it.each(['', ' ', '\n\t '])('%j counts as no body', (text) => {
    expect(parseJsonBody(bytes(text))).toBeUndefined()
  })
})
