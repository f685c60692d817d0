/** Coins that were renamed after their tag was given: new name → name in the tag table. */
export const tickerAliases: Readonly<Record<string, string>> = {
  POL: 'MATIC',
  XNO: 'NANO',
  LUNC: 'LUNA',
  IOTA: 'MIOTA',
}

/** Upper case, and the name under which the tag table knows the coin. */
export function mainTicker(ticker: string): string {
  // Only plain letters: elsewhere upper case turns strangers such as ſ into S.
  const upper = /^[\x21-\x7e]*$/.test(ticker) ? ticker.toUpperCase() : ticker
  return Object.hasOwn(tickerAliases, upper) ? (tickerAliases[upper] as string) : upper
}
