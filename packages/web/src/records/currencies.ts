import {
  knownTags,
  knownTokens,
  mainTicker,
  networkName,
  networksOf,
  type Tag,
  tokenTag,
} from '@emojid/core'
import type { NewRecord } from '../api/records.ts'
import { isRefused, judge, type Verdict } from './judge.ts'
import { formOf, type Parts, recordOf } from './parts.ts'

/** A currency of payments. */
export type Currency = {
  ticker: string
  name: string
  /** Its tags; empty if it always needs a network. */
  tags: readonly Tag[]
  /** The networks of a token without its own chain. */
  networks: readonly string[]
}

let all: readonly Currency[] | undefined

/** All currencies with their own tag, and the common tokens. */
export function currencies(): readonly Currency[] {
  all ??= listCurrencies()
  return all
}

function listCurrencies(): Currency[] {
  const byTicker = new Map<string, Currency>()
  for (const { tag, ticker, name } of knownTags()) {
    if (!ticker || formOf(tag) !== 'address') continue
    const before = byTicker.get(ticker)
    const called = before ? networkName(ticker) : name
    const tags = [...(before?.tags ?? []), tag]
    byTicker.set(ticker, { ticker, name: called, tags, networks: tokenNetworks(ticker) })
  }
  for (const { short_name, long_name, settlement_network } of knownTokens()) {
    const before = byTicker.get(short_name)
    // A coin uses its own chain; owners enter other networks as a token by hand.
    if (before && networksOf(short_name)?.includes(short_name)) continue
    const networks = [...new Set([...(before?.networks ?? []), settlement_network])]
    const currency = before ?? { ticker: short_name, name: long_name, tags: [] }
    byTicker.set(short_name, { ...currency, networks })
  }
  return [...byTicker.values()]
}

function tokenNetworks(ticker: string): readonly string[] {
  const networks = networksOf(ticker) ?? []
  return networks.includes(mainTicker(ticker)) ? [] : networks
}

export const currencyTitle = ({ name, ticker }: Currency): string =>
  name === ticker ? name : `${name} (${ticker})`

/** A currency, and its network if required. */
export type Choice = { currency: Currency; network: string }

/** The record of an address; picks the tag that accepts it. */
export function choose({ currency, network }: Choice, parts: Parts): NewRecord & { is: Verdict } {
  const { ticker, name, tags } = currency
  const writtenRecords =
    network === ''
      ? tags.map((tag) => recordOf(tag, parts))
      : [recordOf(tokenTag, { ...parts, ticker, longName: name, network })]
  const judged = writtenRecords.map((record) => ({ ...record, is: judge(record) }))
  const [first] = judged
  if (!first) throw new Error(`${ticker} has neither category nor network.`)
  return judged.find(({ is }) => !isRefused(is)) ?? first
}
