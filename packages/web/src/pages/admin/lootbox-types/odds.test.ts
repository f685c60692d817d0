import { expect, it } from 'vitest'
import { shownChance, worthOf } from './worth.ts'

it.each([
  [1, '100%'],
  [0, '0%'],
  [0.5, '50%'],
  [1 / 3, '33.33%'],
  [1e-9, '0.0000001%'],
  [0.99996, '> 99.99%'],
  [1 - 1e-9, '> 99.99%'],
])('a chance of %d is shown as %s', (chance, text) => {
  expect(shownChance(chance)).toBe(text)
})

it('the odds table computes the lowest and highest value of a box', () => {
  const prices = Array.from({ length: 100 }, (_, nth) => (nth === 99 ? null : (nth + 1) * 100))
  const config = {
    size: 3,
    min_length: 2,
    max_length: 4,
    min_base_score: 10,
    max_base_score: 20,
    guarantees: [{ count: 1, min_score: 50, max_score: 60 }],
    weights: [{ ipr: 10, min_score: 80, max_score: 90 }],
  }
  expect(worthOf(config, prices)).toEqual({
    least: 5_000 + 2 * 1_000,
    most: 6_000 + 2 * 9_000,
    hasUnpriced: false,
  })
  const rare = { ipr: 10, min_score: 95, max_score: 100 }
  expect(worthOf({ ...config, weights: [rare] }, prices)).toEqual({
    least: 5_000 + 2 * 1_000,
    most: 6_000 + 2 * 9_900,
    hasUnpriced: true,
  })
  const unsold = { count: 3, min_score: 100, max_score: 100 }
  expect(worthOf({ ...config, guarantees: [unsold] }, prices)).toEqual({
    least: 0,
    most: 0,
    hasUnpriced: true,
  })
})
