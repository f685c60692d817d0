import { mainTicker } from '../addresses/main-ticker.ts'
import { isNetwork } from '../addresses/token-networks.ts'
import { knownNetworks } from './known-tokens.ts'
import { RecordError } from './record-error.ts'
import { knownTags, parseTag, type Tag, type TagInfo, tagClass, tagInfo } from './tags.ts'

let tagsByTicker: Map<string, Tag[]> | undefined

/** All categories of a ticker, in any letter case; XMR and XTR have two. */
export function tagsOfTicker(ticker: string): readonly Tag[] | undefined {
  tagsByTicker ??= indexTickers()
  return tagsByTicker.get(mainTicker(ticker))
}

/** The payable categories of a ticker. */
export const ownCategories = (ticker: string): TagInfo[] =>
  (tagsOfTicker(ticker) ?? []).flatMap((tag) => {
    const info = tagInfo(tag)
    return info?.payment ? [info] : []
  })

export function tagsOfTickerOrThrow(ticker: string): readonly Tag[] {
  const tags = tagsOfTicker(ticker)
  if (!tags) throw unknownTicker(ticker)
  return tags
}

export function unknownTicker(ticker: string): RecordError {
  if (ticker === '') return new RecordError('unknown_ticker', 'Name a currency.')
  const excerpt = ticker.length > 20 ? `${ticker.slice(0, 20)}…` : ticker
  return new RecordError('unknown_ticker', `“${excerpt}” is not a known currency.`)
}

/** True for a ticker, a tag, or a token with its network. */
export function isCurrency(text: string): boolean {
  if (/^0x[0-9a-f]{1,4}$/i.test(text)) {
    const tag = parseTag(text)
    return tagClass(tag) === 'crypto' || tagInfo(tag)?.payment === true
  }
  const [name = '', network, ...more] = text.replace(/^0x6300:/i, '').split(':')
  const isPaid = tagsOfTicker(name) !== undefined || knownNetworks(name).length > 0
  return isPaid && (network === undefined || isNetwork(network)) && more.length === 0
}

function indexTickers(): Map<string, Tag[]> {
  const index = new Map<string, Tag[]>()
  for (const { tag, ticker } of knownTags())
    if (ticker) index.set(ticker, [...(index.get(ticker) ?? []), tag])
  return index
}
