import { expect, it } from 'vitest'
import { centsOf, typedDollars } from './cents.ts'

it.each([
  ['4', 400],
  [' 4.5 ', 450],
  ['0.05', 5],
  ['1234567.89', 123_456_789],
])('%s dollars are %i cents', (text, cents) => {
  expect(centsOf(text)).toBe(cents)
  expect(centsOf(typedDollars(cents))).toBe(cents)
})

it.each(['', '-1', '1.234', '1,5', '1e3', '$4', '.5', '12345678'])(
  'the money field rejects the amount %j',
  (text) => {
    expect(centsOf(text)).toBeUndefined()
  },
)
