import { expect, it } from 'vitest'
import { chanceInWords } from './chance.ts'

it.each([
  [1, 'Certain'],
  [0, 'Never'],
  [0.5, '50% (1 in 2)'],
  [0.75, '75%'],
  [0.01, '1% (1 in 100)'],
  [0.2277, '22.8% (1 in 4.4)'],
  [1 / 250_000, '0.0004% (1 in 250,000)'],
  [0.9999, 'More than 99.9%'],
])('a chance of %d is shown as “%s”', (probability, words) => {
  expect(chanceInWords(probability).replaceAll('\u00A0', ' ')).toBe(words)
})
