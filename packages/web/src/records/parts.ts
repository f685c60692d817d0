import {
  buildAddressData,
  buildTickerAddress,
  buildTokenData,
  parseAddressData,
  parseTickerAddress,
  parseTokenData,
  type Tag,
  tagClass,
  tagInfo,
} from '@emojid/core'
import type { NewRecord } from '../api/records.ts'

/** How the data of a record is made up. */
export type Form = 'address' | 'token' | 'ticker_address' | 'plain'

/** What people fill in; each form uses some of it. */
export type Parts = {
  /** The address, or all there is to say. */
  text: string
  label: string
  isDefault: boolean
  ticker: string
  longName: string
  network: string
  /** Of the address, by whoever made it; it goes with the address. */
  signature: string
}

export const noParts: Parts = {
  text: '',
  label: '',
  isDefault: false,
  signature: '',
  ticker: '',
  longName: '',
  network: '',
}

export function formOf(tag: string): Form {
  const form = tagInfo(tag as Tag)?.data_form
  if (form === 'address' || form === 'address_hex20') return 'address'
  if (form === 'token' || form === 'ticker_address') return form
  return !form && tagClass(tag as Tag) === 'crypto' ? 'address' : 'plain'
}

export function partsOf({ tag, data }: NewRecord): Parts {
  const form = formOf(tag)
  if (form === 'plain') return { ...noParts, text: data }
  if (form === 'ticker_address') {
    const { ticker, address } = parseTickerAddress(data)
    return { ...noParts, ticker, text: address }
  }
  if (form === 'token') {
    const token = parseTokenData(data)
    return {
      ...noParts,
      text: token.address,
      label: token.description,
      signature: token.signature,
      ticker: token.short_name,
      longName: token.long_name,
      network: token.settlement_network,
    }
  }
  const { address, description, signature, default: isDefault } = parseAddressData(data)
  return { ...noParts, text: address, label: description, isDefault, signature }
}

/** What people type into a field of its own. */
export type TypedPart = 'text' | 'label' | 'ticker' | 'longName' | 'network'
const typedParts: readonly TypedPart[] = ['text', 'label', 'ticker', 'longName', 'network']

/** One line stands between the parts: the one within which it would make others of them. */
export const barIn = (parts: Parts): TypedPart | undefined =>
  typedParts.find((part) => parts[part].includes('|'))

const namesInCore: Readonly<Record<string, TypedPart>> = {
  description: 'label',
  ticker: 'ticker',
  'short name': 'ticker',
  'long name': 'longName',
  network: 'network',
}

/** The field in which something stands that the core does not take. */
export const typedPart = (part: string | undefined): TypedPart => namesInCore[part ?? ''] ?? 'text'

export function recordOf(tag: string, parts: Parts): NewRecord {
  return { tag, data: dataOf(formOf(tag), parts) }
}

function dataOf(form: Form, parts: Parts): string {
  const { text: address, label: description, signature } = parts
  if (form === 'plain') return address
  if (form === 'ticker_address') return buildTickerAddress({ ticker: parts.ticker, address })
  if (form === 'token')
    return buildTokenData({
      short_name: parts.ticker,
      long_name: parts.longName || parts.ticker,
      settlement_network: parts.network,
      address,
      description,
      signature,
    })
  return buildAddressData({ address, description, signature, default: parts.isDefault })
}
