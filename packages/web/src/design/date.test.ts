import { expect, it } from 'vitest'
import { timeInWords } from './date.tsx'

const now = new Date('2026-03-15T12:00:00Z')
const after = (seconds: number) => timeInWords(new Date(now.getTime() + seconds * 1_000), now)

it.each([
  [-3, 'just now'],
  [20, 'in a moment'],
  [-58, '1 minute ago'],
  [-59 * 60, '1 hour ago'],
  [-100 * 60, '2 hours ago'],
  [3 * 3_600, 'in 3 hours'],
  [-86_400, 'yesterday'],
  [-29 * 86_400, '29 days ago'],
  [-40 * 86_400, 'Feb 3, 2026'],
])('a time %i seconds away is shown as “%s”', (seconds, words) => {
  expect(after(seconds)).toBe(words)
})
