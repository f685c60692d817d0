/** US cents as a price. */
export const money = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** A time, to the minute. */
export const moment = (text: string | null | undefined): string =>
  text ? text.slice(0, 16).replace('T', ' ') : ''
