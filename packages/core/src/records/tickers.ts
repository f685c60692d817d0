import { RecordError } from './record-error.ts'
import { knownTags, type Tag } from './tags.ts'

/** Coins that were renamed after their tag was given: new name → name in the tag table. */
export const tickerAliases: Readonly<Record<string, string>> = {
  POL: 'MATIC',
  XNO: 'NANO',
  LUNC: 'LUNA',
  IOTA: 'MIOTA',
}

let tagsByTicker: Map<string, Tag[]> | undefined

/** All categories of a ticker, in any letter case; XMR and XTR have two. */
export function tagsOfTicker(ticker: string): readonly Tag[] | undefined {
  tagsByTicker ??= indexTickers()
  return tagsByTicker.get(mainTicker(ticker))
}

export function tagsOfTickerOrThrow(ticker: string): readonly Tag[] {
  const tags = tagsOfTicker(ticker)
  if (tags) return tags
  if (ticker === '') throw new RecordError('ticker.unknown', 'No currency is named.')
  const shown = ticker.length > 20 ? `${ticker.slice(0, 20)}…` : ticker
  throw new RecordError('ticker.unknown', `“${shown}” is not a known currency.`)
}

/** Upper case, and the name under which the tag table knows the coin. */
export function mainTicker(ticker: string): string {
  // Only plain letters: elsewhere upper case turns strangers such as ſ into S.
  const upper = /^[\x21-\x7e]*$/.test(ticker) ? ticker.toUpperCase() : ticker
  return Object.hasOwn(tickerAliases, upper) ? (tickerAliases[upper] as string) : upper
}

function indexTickers(): Map<string, Tag[]> {
  const index = new Map<string, Tag[]>()
  for (const { tag, ticker } of knownTags())
    if (ticker) index.set(ticker, [...(index.get(ticker) ?? []), tag])
  return index
}
