import {
  buildAddressData,
  parseAddressData,
  parseTag,
  type Strength,
  type Tag,
  tagInfo,
  tagsOfTicker,
} from '@emojid/core'
import type { NewRecord } from '../../api/records.ts'
import { judge } from '../../records/judge.ts'
import { currencyName } from '../../records/names.ts'
import type { GivenAddress } from './given-addresses.ts'

type Judged = GivenAddress & {
  /** As people call it. */
  currency: string
}
/** An address that may be written, and what that would change. */
export type Change = Judged & {
  state: 'new' | 'same' | 'replaces'
  strength: Strength
  data: string
  /** What the id has now, with the name beside it. */
  before: string
  /** Its owner had signed it, which no link can do for a new one. */
  isSignedBefore: boolean
}
/** An address that is not written, and why. */
type Refusal = Judged & { state: 'refused'; why: string }
export type Reviewed = Change | Refusal

/** Categories that a partner agreed on; nothing agreed leaves all. */
function isOffered(tag: Tag, currencies: readonly string[]): boolean {
  const hasTag = (currency: string) =>
    /^0x[0-9a-f]{1,4}$/i.test(currency)
      ? parseTag(currency) === tag
      : tagsOfTicker(currency)?.includes(tag)
  return currencies.length === 0 || currencies.some(hasTag)
}

/** The agreed currencies that have addresses of their own, by their tickers. */
export function offeredTickers(currencies: readonly string[]): string[] {
  const tickers = currencies.flatMap((currency) => {
    const ticker = /^0x[0-9a-f]{1,4}$/i.test(currency)
      ? tagInfo(parseTag(currency))?.ticker
      : currency.toUpperCase()
    return ticker && tagsOfTicker(ticker) ? ticker : []
  })
  return [...new Set(tickers)]
}

/** What writing an address would mean for an id with these records. */
export function review(
  given: GivenAddress,
  records: readonly NewRecord[],
  currencies: readonly string[],
  notOffered: string,
): Reviewed {
  const judged = { ...given, currency: currencyName(given.tag) }
  if (!isOffered(given.tag, currencies)) return { ...judged, state: 'refused', why: notOffered }
  const stored = records.find(({ tag }) => tag === given.tag)
  const had = parseAddressData(stored?.data ?? '')
  // Which address is the main one of a currency is not for a link to change.
  const parts = { address: given.address, description: given.wallet, default: had.default }
  const written = buildAddressData(parts)
  const verdict = judge({ tag: given.tag, data: written })
  if ('why' in verdict) return { ...judged, state: 'refused', why: verdict.why }
  const { data, strength, address } = verdict
  const spelled = address?.address ?? given.address
  const isSame = stored?.data === data || (had.address === spelled && given.wallet === '')
  const state = isSame ? 'same' : stored ? 'replaces' : 'new'
  const before = had.description ? `${had.address} (${had.description})` : had.address
  const isSignedBefore = had.signature !== ''
  return { ...judged, address: spelled, state, strength, data, before, isSignedBefore }
}
