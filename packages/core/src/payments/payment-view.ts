import { parseAddressData } from '../records/address-data.ts'
import { isSingleValue, otherCurrencyTag, type Tag, tagInfo, tokenTag } from '../records/tags.ts'
import { ownCategories } from '../records/tickers.ts'
import { parseTickerAddress, parseTokenData } from '../records/token-data.ts'

/** One way to pay the owner of an id, as the payment lookup returns it. */
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

export type StoredRecord = {
  tag: Tag
  data: string
  /** A record that replaced another one is more recent than its place says; the highest is the last. */
  recent?: number
}

/** The records as payments see them: the most recent one last. */
export const byRecency = <One extends { recent?: number }>(records: readonly One[]): One[] =>
  records.toSorted((one, other) => (one.recent ?? 0) - (other.recent ?? 0))

/**
 * One address per payment key: the most recent default, else the most recent. Records are in the
 * order of their owner, which puts the most recent last except for `recent` ones; without `tags`
 * every payable category is included.
 */
export function paymentAddresses(
  orderedRecords: readonly StoredRecord[],
  tags?: readonly Tag[],
): Record<string, PaymentAddress> {
  const choices: Record<string, PaymentAddress> = {}
  for (const record of byRecency(orderedRecords)) {
    if (!isPayable(record.tag) || !isWanted(record.tag, tags) || isMisplaced(record)) continue
    const candidate = readPaymentAddress(record)
    const key = paymentKey(candidate)
    if (candidate.default || !choices[key]?.default) choices[key] = candidate
  }
  return choices
}

/**
 * The payment lookup: `paymentAddresses`, and the most recent 0x3fff address also under `0x3fff`,
 * for wallets that know one generic address per id.
 */
export function paymentLookup(
  orderedRecords: readonly StoredRecord[],
  tags?: readonly Tag[],
): Record<string, PaymentAddress> {
  const addresses = paymentAddresses(orderedRecords, tags)
  const latest = byRecency(orderedRecords).findLast(
    (record) =>
      record.tag === otherCurrencyTag && isWanted(record.tag, tags) && !isMisplaced(record),
  )
  return latest ? { ...addresses, [otherCurrencyTag]: readPaymentAddress(latest) } : addresses
}

/**
 * An address of 0x3fff whose ticker has a category of its own, which would have checked it. Stored
 * before such records were refused.
 */
const isMisplaced = ({ tag, data }: StoredRecord): boolean =>
  tag === otherCurrencyTag && ownCategories(parseTickerAddress(data).ticker).length > 0

const isWanted = (tag: Tag, tags?: readonly Tag[]) => !tags || tags.includes(tag)

/** `0x1003`; `0x3fff:KAS` for other currencies; `0x6300:USDC:ETH` for tokens. */
export function paymentKey({ category, short_name, settlement_network }: PaymentAddress): string {
  if (category === otherCurrencyTag) return `${category}:${short_name}`
  return category === tokenTag ? `${category}:${short_name}:${settlement_network}` : category
}

/**
 * A new value with the same key replaces the old one; undefined for categories with any number of
 * values. 0x3fff keeps one per ticker, 0x6300 one per token and network.
 */
export function singleValueKey(record: StoredRecord): string | undefined {
  if (record.tag === otherCurrencyTag || record.tag === tokenTag) {
    return paymentKey(readPaymentAddress(record))
  }
  return isSingleValue(record.tag) ? record.tag : undefined
}

export function isPayable(tag: Tag): boolean {
  return tagInfo(tag)?.payment === true
}

/** The parts of a payment record. */
export function readPaymentAddress({ tag, data }: StoredRecord): PaymentAddress {
  if (tag === tokenTag) {
    const { description, signature, ...token } = parseTokenData(data)
    return { category: tag, default: false, ...token, ...omitEmpty({ description, signature }) }
  }
  if (tag === otherCurrencyTag) {
    const { ticker, address } = parseTickerAddress(data)
    return { address, category: tag, default: false, short_name: ticker }
  }
  // A bank account number, for example, has no parts.
  if (tagInfo(tag)?.data_form === 'text') return { address: data, category: tag, default: false }
  const { address, description, signature, default: isDefault } = parseAddressData(data)
  return { address, category: tag, default: isDefault, ...omitEmpty({ description, signature }) }
}

function omitEmpty(parts: { description: string; signature: string }) {
  return Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== ''))
}
