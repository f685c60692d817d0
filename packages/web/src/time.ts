export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Whether a moment, as the API writes it, is still to come. */
export const isAhead = (at: string | null | undefined): at is string =>
  Boolean(at && new Date(at) > new Date())
