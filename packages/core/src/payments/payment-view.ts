import { parseAddressData } from '../records/address-data.ts'
import { type Tag, tagInfo } from '../records/tags.ts'
import { parseTickerAddress, parseTokenData } from '../records/token-data.ts'

/** One way to pay the owner of an id, as the payment lookup answers it. */
export type PaymentAddress = {
  address: string
  category: Tag
  default: boolean
  description?: string
  long_name?: string
  short_name?: string
  settlement_network?: string
  signature?: string
}

export type StoredRecord = { tag: Tag; data: string }

/**
 * One address per category: the most recent default, else the most recent. Tokens count per name and
 * network. Records come oldest first; without a wish for tags, every payable category is answered.
 */
export function paymentAddresses(
  oldestFirst: readonly StoredRecord[],
  tags?: readonly Tag[],
): Record<string, PaymentAddress> {
  const chosen: Record<string, PaymentAddress> = {}
  for (const record of oldestFirst) {
    if (!isPayable(record.tag) || (tags && !tags.includes(record.tag))) continue
    const candidate = readPaymentAddress(record)
    const key = paymentKey(candidate)
    if (candidate.default || !chosen[key]?.default) chosen[key] = candidate
  }
  return chosen
}

/** `0x1003`, or `0x6300:USDC:ETH` for tokens. */
export function paymentKey({ category, short_name, settlement_network }: PaymentAddress): string {
  return category === '0x6300' ? `${category}:${short_name}:${settlement_network}` : category
}

export function isPayable(tag: Tag): boolean {
  return tagInfo(tag)?.payment === true
}

/** What a record says of a payment, part by part. */
export function readPaymentAddress({ tag, data }: StoredRecord): PaymentAddress {
  if (tag === '0x6300') {
    const { description, signature, ...token } = parseTokenData(data)
    return { category: tag, default: false, ...token, ...given({ description, signature }) }
  }
  if (tag === '0x3fff') {
    const { ticker, address } = parseTickerAddress(data)
    return { address, category: tag, default: false, short_name: ticker }
  }
  // Such as the account number of a bank: it has no parts.
  if (tagInfo(tag)?.data_form === 'text') return { address: data, category: tag, default: false }
  const { address, description, signature, default: isDefault } = parseAddressData(data)
  return { address, category: tag, default: isDefault, ...given({ description, signature }) }
}

function given(parts: { description: string; signature: string }) {
  return Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== ''))
}
