import { expect, it } from 'vitest'
import { createClockCache } from './clock-cache.ts'

const limited = () => createClockCache<string>(100, { atMost: 10, sizeOf: ({ length }) => length })
const valuesOf = (cache: ReturnType<typeof limited>, keys: string) =>
  [...keys].filter((key) => cache.get(key) !== undefined).join('')

it('the cache evicts values until the bytes of all fit', () => {
  const cache = limited()
  cache.put('a', 'x'.repeat(4))
  cache.put('b', 'x'.repeat(4))
  cache.get('b')
  cache.put('c', 'x'.repeat(6))
  expect(valuesOf(cache, 'abc')).toBe('bc')
})

it('the cache no longer counts a replaced or removed value', () => {
  const cache = limited()
  cache.put('a', 'x'.repeat(9))
  cache.put('a', 'x')
  cache.put('b', 'x'.repeat(9))
  expect(valuesOf(cache, 'ab')).toBe('ab')
  cache.remove('b')
  cache.put('c', 'x'.repeat(9))
  expect(valuesOf(cache, 'ac')).toBe('ac')
  cache.clear()
  cache.put('d', 'x'.repeat(10))
  expect(valuesOf(cache, 'acd')).toBe('d')
})

it('the cache refuses a value longer than all together, and keeps the others', () => {
  const cache = limited()
  cache.put('a', 'x')
  cache.put('b', 'x'.repeat(11))
  expect(valuesOf(cache, 'ab')).toBe('a')
})
