import { describe, expect, it } from 'vitest'
import { createPressure } from './overload.ts'

/** The pressure after samples of the age of the queue, 100 ms apart. */
const after = (...agesMs: number[]) => {
  const measure = createPressure(400)
  return agesMs.map((ageMs, nth) => measure(ageMs, nth * 100)).at(-1)
}

describe('the age of the queue', () => {
  it('the age of the queue is no reason to refuse requests after one long turn', () => {
    expect(after(0, 4_000)).toBe('none')
    expect(after(0, 4_000, 0, 4_000, 0, 4_000)).toBe('none')
  })

  it('strains the process once it stays above a quarter of the limit', () => {
    expect(after(150, 150)).toBe('none')
    expect(after(150, 150, 150, 150)).toBe('strain')
    expect(after(150, 150, 150, 150, 50)).toBe('none')
  })

  it('the age of the queue is overload once it stays above the limit', () => {
    expect(after(500, 500, 500, 500)).toBe('overload')
    expect(after(500, 500, 500, 500, 300)).toBe('strain')
  })
})
