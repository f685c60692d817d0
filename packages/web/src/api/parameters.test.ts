import { expect, it } from 'vitest'
import { readParameters, withParameters } from './parameters.ts'

it.each([
  ['?addresses=0x1003=abc|0x1004=def', '0x1003=abc|0x1004=def'],
  ['?addresses=0x1003%3Dabc%7C0x1004%3Ddef', '0x1003=abc|0x1004=def'],
  ['?eid=x&addresses=0x1003=EQ+/=&addresses=other', '0x1003=EQ+/='],
  ['?addresses=100%', '100%'],
  ['?addresses=0x1003%3Dabc%7C0x1004=100%&eid=%FF', '0x1003=abc|0x1004=100%'],
  ['?addresses=%FF%3D', '%FF%3D'],
  ['?addresses', ''],
])('readParameters reads the query %s', (query, expected) => {
  expect(readParameters(query).get('addresses')).toBe(expected)
})

it('readParameters returns nothing for an empty query', () => {
  expect([...readParameters('')]).toEqual([])
  expect([...readParameters('?&&=x')]).toEqual([])
})

it('withParameters writes an encoded query that readParameters reads back', () => {
  const values = { addresses: "0x1003=a'(b)*!|0x1004=+/=", eid: '🔥🐍', empty: '' }
  const address = withParameters('/partner/one', values)
  expect(address).toMatch(/^\/partner\/one\?[A-Za-z0-9_.~=&,:%+-]*$/)
  const { empty: _, ...expected } = values
  expect(Object.fromEntries(readParameters(new URL(address, 'http://x').search))).toEqual(expected)
  expect(withParameters('/partner/one', { eid: '' })).toBe('/partner/one')
})
