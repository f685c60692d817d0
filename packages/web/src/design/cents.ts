/** Cents of what somebody typed as dollars; nothing when it is no amount. */
export function centsOf(text: string): number | undefined {
  const [, dollars, cents = ''] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? []
  return dollars === undefined ? undefined : Number(dollars) * 100 + Number(cents.padEnd(2, '0'))
}

/** How an amount is typed. */
export const typedDollars = (cents: number): string =>
  cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)
