import { expect, it } from 'vitest'
import { countScale, powerScale } from './scale.ts'

it('a scale labels counts in whole round steps that reach the highest', () => {
  expect(countScale(0).ticks).toEqual([0, 1])
  expect(countScale(1).ticks).toEqual([0, 1])
  expect(countScale(4).ticks).toEqual([0, 1, 2, 3, 4])
  expect(countScale(7).ticks).toEqual([0, 2, 4, 6, 8])
  expect(countScale(41).ticks).toEqual([0, 10, 20, 30, 40, 50])
  expect(countScale(1_200).ticks).toEqual([0, 500, 1_000, 1_500])
  expect(countScale(7).place(8)).toBe(1)
  expect(countScale(0).place(0)).toBe(0)
})

it('a power scale places equal factors at equal distances', () => {
  const { ticks, place } = powerScale([3, 10, 900, 0])
  expect(ticks).toEqual([1, 10, 100, 1_000])
  expect(place(10) - place(1)).toBeCloseTo(place(1_000) - place(100))
  expect([place(1), place(1_000), place(0)]).toEqual([0, 1, 0])
})

it('a power scale has room for a single value, and for none', () => {
  expect(powerScale([10]).ticks).toEqual([10, 100])
  expect(powerScale([]).ticks).toEqual([0, 1])
})
