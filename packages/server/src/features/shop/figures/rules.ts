import { dayMs } from '../../../platform/time.ts'
import type { Figure } from './routes.ts'

const shownDays = 30

const startOfDay = (at: Date): number => Math.floor(at.getTime() / dayMs) * dayMs

/** The first moment of the first shown day, in UTC. */
export const firstDay = (at: Date): Date => new Date(startOfDay(at) - (shownDays - 1) * dayMs)

export type DayCount = { day: string; count: number; amount_in_cents?: number }

/**
 * The counts of every shown day, zero without rows. The total also has rows of earlier days: a queue
 * can hold older things.
 */
export function figureOf(rows: readonly DayCount[], at: Date, unit?: 'money'): Figure {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const first = firstDay(at).getTime()
  const days = Array.from({ length: shownDays }, (_, nth) => {
    const day = new Date(first + nth * dayMs).toISOString().slice(0, 10)
    const { count = 0, amount_in_cents = 0 } = byDay.get(day) ?? {}
    return { day, count, ...(unit ? { amount_in_cents } : {}) }
  })
  const sum = (of: (row: DayCount) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    total: sum(({ count }) => count),
    ...(unit ? { total_in_cents: sum(({ amount_in_cents = 0 }) => amount_in_cents) } : {}),
    days,
  }
}
