import { dayMs } from '../time.ts'

/** The moment with which a day begins, as UTC counts them. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** The first moment that is not of this day any more. */
export const endOf = (day: string): Date => new Date(startOf(day).getTime() + dayMs)
