import { expect, it } from 'vitest'
import { seededDraw } from './seeded-draw.ts'

it('a seeded draw returns the same numbers for the same seed, and others for another seed', () => {
  const numbers = (seed: string) => {
    const draw = seededDraw(Buffer.from(seed))
    return Array.from({ length: 20 }, () => draw(1_000_000))
  }
  expect(numbers('a')).toEqual(numbers('a'))
  expect(numbers('a')).not.toEqual(numbers('b'))
})

it('a seeded draw returns every number about equally often', () => {
  const draw = seededDraw(Buffer.from('fair'))
  const counts = Array<number>(7).fill(0)
  for (let n = 0; n < 7_000; n++) {
    const firstNumber = draw(7)
    counts[firstNumber] = (counts[firstNumber] ?? 0) + 1
  }
  expect(Math.min(...counts)).toBeGreaterThan(880)
  expect(Math.max(...counts)).toBeLessThan(1_120)
})
