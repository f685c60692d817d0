/** Parses dollars into cents; undefined if the text is not an amount. */
export function centsOf(text: string): number | undefined {
  const [, dollars, cents = ''] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? []
  return dollars === undefined ? undefined : Number(dollars) * 100 + Number(cents.padEnd(2, '0'))
}

/** An amount as text for an input. */
export const typedDollars = (cents: number): string =>
  cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)
