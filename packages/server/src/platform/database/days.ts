import { dayMs } from '../time.ts'

/** The first moment of a day, in UTC. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** The first moment after a day, in UTC. */
export const endOf = (day: string): Date => new Date(startOf(day).getTime() + dayMs)
