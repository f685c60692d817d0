import { describe, expect, it } from 'vitest'
import { readFilters, readListSearch } from './list-search.ts'

describe('the URL of a list', () => {
  it('keeps pages after the first, and filters as text', () => {
    expect(readListSearch({ page: 3, q: 42, role: 'Admin', is: true })).toEqual({
      page: 3,
      q: '42',
      role: 'Admin',
      is: 'true',
    })
  })

  it.each([1, 0, -2, 1.5, '2', 'x', null])('reads page %s as the first', (page) => {
    expect(readListSearch({ page, q: '' })).toEqual({})
  })

  it('drops values that are not text, and truncates long ones', () => {
    expect(readListSearch({ q: { a: 1 }, list: [1] })).toEqual({})
    expect(readListSearch({ q: 'x'.repeat(300) })).toEqual({ q: 'x'.repeat(200) })
  })

  it('accepts only valid filter values', () => {
    const filters = { q: 'text', role: ['User', 'Admin'] } as const
    expect(readFilters({ q: 'anna', role: 'Admin' }, filters)).toEqual({ q: 'anna', role: 'Admin' })
    expect(readFilters({ role: 'King', other: 'x' }, filters)).toEqual({})
  })

  it.each(['2026-2-3', '2026-13-01', '1999-12-31', 'today'])(
    'ignores the invalid date %s',
    (from) => {
      expect(readFilters({ from, to: '2026-02-03' }, { from: 'day', to: 'day' })).toEqual({
        to: '2026-02-03',
      })
    },
  )
})
