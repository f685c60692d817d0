import { expect, it } from 'vitest'
import { groupByDay } from './days.ts'

it('groups notifications by day and names today and yesterday', () => {
  const at = (text: string) => ({ created_at: new Date(text).toISOString() })
  const rows = [at('2026-11-17T13:00'), at('2026-11-17T01:00'), at('2026-11-16T23:00')]
  const groups = groupByDay([...rows, at('2026-11-02T12:00')], new Date('2026-11-17T14:00'))
  expect(groups.map(({ day, members }) => [day, members.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    ['Monday, November 2, 2026', 1],
  ])
})
