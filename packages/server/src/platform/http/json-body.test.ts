import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../errors.ts'
import { parseJsonBody } from './json-body.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('any bytes', () => {
  it('give a value or a refusal, never another fault', () => {
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

describe('JSON that can be stored', () => {
  it('is read exactly', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!/\\u0000|\\ud[89a-f]|__proto__|constructor/i.test(text))
        expect(parseJsonBody(bytes(text))).toEqual(JSON.parse(text))
      }),
    )
  })
})

describe('white space', () => {
  it.each(['', ' ', '\n\t '])('%j is no body', (text) => {
    expect(parseJsonBody(bytes(text))).toBeUndefined()
  })
})
