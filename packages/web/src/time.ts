export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Whether an API timestamp is in the future. */
export const isFuture = (at: string | null | undefined): at is string =>
  Boolean(at && new Date(at) > new Date())
