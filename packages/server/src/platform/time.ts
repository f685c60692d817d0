/** Spans of time in milliseconds, as clocks count; and in seconds, as cookies and headers do. */
export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
export const hourSeconds = hourMs / secondMs
export const daySeconds = dayMs / secondMs

/** To the minute, as mails and pages say it. */
export const toMinuteText = (at: Date): string =>
  `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
