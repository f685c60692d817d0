import {
  type StoredRecord as CoreRecord,
  isPayable,
  networkName,
  otherCurrencyTag,
  parseTag,
  parseTickerAddress,
  parseTokenData,
  type Tag,
  tagInfo,
  tokenTag,
} from '@emojid/core'
import type { NewRecord } from '../api/records.ts'
import { messages } from '../language.ts'

/** The display name of an address tag. */
export function currencyName(tag: Tag): string {
  const { name, ticker } = tagInfo(tag) ?? { name: tag, ticker: null }
  return ticker ? `${name} (${ticker})` : name
}

/** Converts records to core records. */
export const toCoreRecords = (
  records: readonly (NewRecord & { recent?: number })[],
): CoreRecord[] =>
  records.map(({ tag, data, recent }) => ({
    tag: parseTag(tag),
    data,
    ...(recent === undefined ? {} : { recent }),
  }))

/** Whether payers see it. A free-text payment address (0x6200) can only be looked up. */
export const isPayment = ({ tag }: NewRecord): boolean => isPayable(tag as Tag)

type RecordName = {
  /** The currency, or the kind of record. */
  name: string
  /** The ticker for a badge; empty for records that are not payments. */
  ticker: string
  network: string
}

/** The name and ticker of a record. */
export function nameOf({ tag, data }: NewRecord): RecordName {
  if (tag === tokenTag) {
    const { short_name, long_name, settlement_network } = parseTokenData(data)
    const network = networkName(settlement_network)
    return { name: long_name || short_name, ticker: short_name, network }
  }
  if (tag === otherCurrencyTag) {
    const { ticker } = parseTickerAddress(data)
    return { name: ticker, ticker, network: '' }
  }
  const { name, ticker } = tagInfo(tag as Tag) ?? { name: tag, ticker: null }
  return { name, ticker: isPayment({ tag, data }) ? (ticker ?? '') : '', network: '' }
}

/** The name in one line. */
export function titleOf(record: NewRecord): string {
  const { name, ticker, network } = nameOf(record)
  const called = ticker && ticker !== name ? `${name} (${ticker})` : name
  return network ? texts.on(called, network) : called
}

const texts = messages({
  en: {
    on: (currency: string, network: string) => `${currency} on ${network}`,
  },
})
