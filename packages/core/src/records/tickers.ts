import { mainTicker } from '../addresses/main-ticker.ts'
import { RecordError } from './record-error.ts'
import { knownTags, type Tag } from './tags.ts'

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

function indexTickers(): Map<string, Tag[]> {
  const index = new Map<string, Tag[]>()
  for (const { tag, ticker } of knownTags())
    if (ticker) index.set(ticker, [...(index.get(ticker) ?? []), tag])
  return index
}
