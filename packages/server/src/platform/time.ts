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
