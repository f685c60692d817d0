import { expect, it } from 'vitest'
import { hasRoomForWatch } from './rules.ts'

const few = { network: 0, wide: 0 }
const many = { network: 10_000, wide: 10_000 }

it.each([
  ['a network with few ids, while nearly all places are taken', { ...few, total: 1_999_000 }, true],
  ['a network with many ids, while a quarter is free', { ...many, total: 1_499_000 }, true],
  ['a network with many ids, in the last quarter', { ...many, total: 1_500_000 }, false],
  [
    'a wide network with many ids, in the last quarter',
    { network: 0, wide: 8_000, total: 1_500_000 },
    false,
  ],
  ['a network that would exceed its own limit', { network: 49_500, wide: 49_500, total: 0 }, false],
  ['a wide network that would exceed its limit', { network: 0, wide: 199_500, total: 0 }, false],
  ['every network, once all places are taken', { ...few, total: 2_000_000 }, false],
])('a watch of 1,000 ids has room or not: %s', (_name, stored, hasRoom) => {
  expect(hasRoomForWatch(stored, 1_000)).toBe(hasRoom)
})
