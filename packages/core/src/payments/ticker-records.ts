import { mainTicker } from '../addresses/main-ticker.ts'
import { knownNetworks } from '../records/known-tokens.ts'
import { otherCurrencyTag, tokenTag } from '../records/tags.ts'
import { tagsOfTicker } from '../records/tickers.ts'
import { readPaymentAddress, type StoredRecord } from './payment-view.ts'

/**
 * The records of a ticker: those of its own categories, then tokens of that name. Other currencies
 * (0x3fff) count only for a ticker without its own category: one address per currency decides.
 * Undefined for a ticker that is neither known nor present.
 */
export function recordsOfTicker<One extends StoredRecord>(
  records: readonly One[],
  ticker: string,
): One[] | undefined {
  const tags = tagsOfTicker(ticker)
  const native = records.filter(({ tag }) => tags?.includes(tag))
  const named = records.filter(
    (record) =>
      (record.tag === tokenTag || (record.tag === otherCurrencyTag && !tags)) &&
      isNamed(record, ticker),
  )
  const isKnown = tags !== undefined || knownNetworks(ticker).length > 0
  return isKnown || named.length > 0 ? [...native, ...named] : undefined
}

function isNamed(record: StoredRecord, ticker: string): boolean {
  const { short_name = '' } = readPaymentAddress(record)
  return mainTicker(short_name) === mainTicker(ticker)
}
