/** Durations in milliseconds for clocks, and in seconds for cookies and headers. */
export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
export const hourSeconds = hourMs / secondMs
export const daySeconds = dayMs / secondMs

/** The time to the minute, for emails and pages. */
export const toMinuteText = (at: Date): string =>
  `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** The first moment of a day, in UTC. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** The first moment after a day, in UTC. */
export const endOf = (day: string): Date => new Date(startOf(day).getTime() + dayMs)

/** Stripe counts in seconds. */
export const secondsOf = (time: Date): number => Math.floor(time.getTime() / secondMs)

export const timeOf = (seconds: number): Date => new Date(seconds * secondMs)
