import {
  type StoredRecord as CoreRecord,
  isPayable,
  networkName,
  parseTag,
  parseTickerAddress,
  parseTokenData,
  type Tag,
  tagInfo,
} from '@emojid/core'
import type { NewRecord } from '../api/records.ts'
import { texts } from './texts.ts'

/** A category of addresses as people call it. */
export function currencyName(tag: Tag): string {
  const { name, ticker } = tagInfo(tag) ?? { name: tag, ticker: null }
  return ticker ? `${name} (${ticker})` : name
}

/** The records as the core knows them. */
export const inCore = (records: readonly NewRecord[]): CoreRecord[] =>
  records.map(({ tag, data }) => ({ tag: parseTag(tag), data }))

/** Whether payers are shown it. A payment address in free text (0x6200) is looked up, and no more. */
export const isPayment = ({ tag }: NewRecord): boolean => isPayable(tag as Tag)

type RecordName = {
  /** The currency, or what else it is. */
  name: string
  /** In short, for a badge; nothing has one but what is paid. */
  ticker: string
  network: string
}

/** What a record is about. */
export function nameOf({ tag, data }: NewRecord): RecordName {
  if (tag === '0x6300') {
    const { short_name, long_name, settlement_network } = parseTokenData(data)
    const network = networkName(settlement_network)
    return { name: long_name || short_name, ticker: short_name, network }
  }
  if (tag === '0x3fff') {
    const { ticker } = parseTickerAddress(data)
    return { name: ticker, ticker, network: '' }
  }
  const { name, ticker } = tagInfo(tag as Tag) ?? { name: tag, ticker: null }
  return { name, ticker: isPayment({ tag, data }) ? (ticker ?? '') : '', network: '' }
}

/** The same in one line. */
export function titleOf(record: NewRecord): string {
  const { name, ticker, network } = nameOf(record)
  const called = ticker && ticker !== name ? `${name} (${ticker})` : name
  return network ? texts.on(called, network) : called
}
