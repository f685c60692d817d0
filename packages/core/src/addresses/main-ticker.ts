/** Coins renamed after their tag was assigned: new name → name in the tag table. */
export const tickerAliases: Readonly<Record<string, string>> = {
  POL: 'MATIC',
  XNO: 'NANO',
  LUNC: 'LUNA',
  IOTA: 'MIOTA',
}

/** Upper case, and the name in the tag table. */
export function mainTicker(ticker: string): string {
  // ASCII only: upper case turns ſ into S.
  const upper = /^[\x21-\x7e]*$/.test(ticker) ? ticker.toUpperCase() : ticker
  return Object.hasOwn(tickerAliases, upper) ? (tickerAliases[upper] as string) : upper
}
