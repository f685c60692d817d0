import { language } from '../../../language.ts'
import { dayMs } from '../../../time.ts'
import { texts } from './texts.ts'

const longDay = new Intl.DateTimeFormat(language, { dateStyle: 'full' })

type Dated = { created_at: string }

/** The rows of each day of the reader's time zone, in the order in which they come. */
export function groupByDay<Row extends Dated>(rows: readonly Row[], now: Date) {
  const days = new Map<string, Row[]>()
  for (const row of rows) {
    const day = dayName(new Date(row.created_at), now)
    days.set(day, [...(days.get(day) ?? []), row])
  }
  return [...days].map(([day, members]) => ({ day, members }))
}

function dayName(at: Date, now: Date): string {
  const name = longDay.format(at)
  if (name === longDay.format(now)) return texts.today
  if (name === longDay.format(new Date(now.getTime() - dayMs))) return texts.yesterday
  return name
}
