import { dayMs } from '../../../platform/time.ts'
import type { Metric } from './stats.ts'

const daysCounted = 28

/** The closed UTC days that count: from the first up to yesterday. */
export type Window = { start: Date; finish: Date }

export function countedWindow(now: Date): Window {
  const finish = new Date(Math.floor(now.getTime() / dayMs) * dayMs)
  return { start: new Date(finish.getTime() - daysCounted * dayMs), finish }
}

/** Today, which is not over yet. */
export function currentDay(now: Date): Window {
  const { finish: start } = countedWindow(now)
  return { start, finish: new Date(start.getTime() + dayMs) }
}

/** The number of views while the counts cannot be read. */
export const unknownViews = -1

/** The rest of the day plus a margin. */
export const untilMidnight = (now: Date): number => dayMs - (now.getTime() % dayMs) + 1

export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

export const todayMetric = (key: string, value: number, { start, finish }: Window): Metric => ({
  metric: 'api_emoji_lookups_today',
  description: 'Lookups today',
  key,
  value,
  start_date: start.toISOString(),
  finish_date: finish.toISOString(),
})

export const lookupMetric = (key: string, value: number, window: Window): Metric => ({
  metric: 'api_emoji_lookups',
  description: 'Lookups in the past month',
  key,
  value,
  ...datesOf(window),
})

/** The lookups of a day share their window. */
const datesOfWindows = new WeakMap<Window, Pick<Metric, 'start_date' | 'finish_date'>>()

function datesOf(window: Window) {
  const { start, finish } = window
  const dates = datesOfWindows.get(window) ?? {
    start_date: start.toISOString(),
    finish_date: finish.toISOString(),
  }
  datesOfWindows.set(window, dates)
  return dates
}

type Day = { day: string; count: number | string; pages: number | string }

/** One entry for each day of the window, in order. */
export function withEmptyDays(start: Date, finish: Date, rows: readonly Day[]) {
  const knownDays = new Map(rows.map((row) => [row.day, row]))
  const length = Math.round((finish.getTime() - start.getTime()) / dayMs)
  return Array.from({ length }, (_, nth) => {
    const day = dayOf(new Date(start.getTime() + nth * dayMs))
    const { count = 0, pages = 0 } = knownDays.get(day) ?? {}
    return { day, lookups: Number(count), pages: Number(pages) }
  })
}
