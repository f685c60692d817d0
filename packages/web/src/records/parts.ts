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

/** The format of the data of a record. */
export type Form = 'address' | 'token' | 'ticker_address' | 'plain'

/** The input values of a record; each format uses some of them. */
export type Parts = {
  /** The address, or the whole value. */
  text: string
  label: string
  isDefault: boolean
  ticker: string
  longName: string
  network: string
  /** The signature of the address, which belongs to it. */
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

/** The parts with their own input. */
export type TypedPart = 'text' | 'label' | 'ticker' | 'longName' | 'network'
const typedParts: readonly TypedPart[] = ['text', 'label', 'ticker', 'longName', 'network']

/** The part that contains a pipe, which separates the parts of a record. */
export const barIn = (parts: Parts): TypedPart | undefined =>
  typedParts.find((part) => parts[part].includes('|'))

const namesInCore: Readonly<Record<string, TypedPart>> = {
  description: 'label',
  ticker: 'ticker',
  'short name': 'ticker',
  'long name': 'longName',
  network: 'network',
}

/** The input of a part that core rejected. */
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
