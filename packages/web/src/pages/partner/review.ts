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
import type { PartnerAddress } from './partner-addresses.ts'

type JudgedAddress = PartnerAddress & {
  /** The name of the currency. */
  currency: string
}
/** An address that can be saved, and its effect. */
export type Change = JudgedAddress & {
  state: 'new' | 'same' | 'replaces'
  strength: Strength
  data: string
  /** The current address with its label. */
  before: string
  /** The current address is signed; a link cannot sign the new one. */
  isSignedBefore: boolean
}
/** A rejected address with the reason. */
type Refusal = JudgedAddress & { state: 'refused'; why: string }
export type ReviewResult = Change | Refusal

/** Whether the partner supports a currency; an empty list means all. */
function isOffered(tag: Tag, currencies: readonly string[]): boolean {
  const hasTag = (currency: string) =>
    /^0x[0-9a-f]{1,4}$/i.test(currency)
      ? parseTag(currency) === tag
      : tagsOfTicker(currency)?.includes(tag)
  return currencies.length === 0 || currencies.some(hasTag)
}

/** The tickers of the supported currencies that have addresses. */
export function offeredTickers(currencies: readonly string[]): string[] {
  const tickers = currencies.flatMap((currency) => {
    const ticker = /^0x[0-9a-f]{1,4}$/i.test(currency)
      ? tagInfo(parseTag(currency))?.ticker
      : currency.toUpperCase()
    return ticker && tagsOfTicker(ticker) ? ticker : []
  })
  return [...new Set(tickers)]
}

/** The effect of saving an address on these records. */
export function review(
  proposal: PartnerAddress,
  records: readonly NewRecord[],
  currencies: readonly string[],
  notOffered: string,
): ReviewResult {
  const judged = { ...proposal, currency: currencyName(proposal.tag) }
  if (!isOffered(proposal.tag, currencies)) return { ...judged, state: 'refused', why: notOffered }
  const storedRecord = records.find(({ tag }) => tag === proposal.tag)
  const current = parseAddressData(storedRecord?.data ?? '')
  // A link must not change which address is the default.
  const parts = {
    address: proposal.address,
    description: proposal.wallet,
    default: current.default,
  }
  const addressData = buildAddressData(parts)
  const verdict = judge({ tag: proposal.tag, data: addressData })
  if ('why' in verdict) return { ...judged, state: 'refused', why: verdict.why }
  const { data, strength, address } = verdict
  const spelled = address?.address ?? proposal.address
  const isSame =
    storedRecord?.data === data || (current.address === spelled && proposal.wallet === '')
  const state = isSame ? 'same' : storedRecord ? 'replaces' : 'new'
  const before = current.description
    ? `${current.address} (${current.description})`
    : current.address
  const isSignedBefore = current.signature !== ''
  return { ...judged, address: spelled, state, strength, data, before, isSignedBefore }
}
