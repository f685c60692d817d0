import { AddressError } from '../addresses/address-error.ts'
import { findChain, findNetwork, isEvm, isUncheckedChain } from '../addresses/chains.ts'
import { type CheckedAddress, checkAddress } from '../addresses/check-address.ts'
import { mainTicker } from '../addresses/main-ticker.ts'
import { refuseStrangers } from '../addresses/plain-signs.ts'
import { networksOf } from '../addresses/token-networks.ts'
import type { Strength } from '../addresses/verdict.ts'
import { buildAddressData, checkAddressData } from './address-data.ts'
import { checkHostName, checkIpv4, checkIpv6, checkOnion } from './internet.ts'
import { knownNetworks } from './known-tokens.ts'
import { checkDate, checkHex32, checkPreferredForm } from './plain-forms.ts'
import { RecordError } from './record-error.ts'
import type { DataForm } from './tag-additions.ts'
import { isSingleValue, parseTag, type Tag, tagClass, tagInfo, tagUse } from './tags.ts'
import { checkText } from './text.ts'
import { ownCategories } from './tickers.ts'
import {
  buildTickerAddress,
  buildTokenData,
  checkTickerAddress,
  checkTokenData,
} from './token-data.ts'
import { checkUrl } from './url.ts'

export type RecordInput = { tag: string; data: string }

/** A record as stored, and the strength of its check. */
export type CheckedRecord = {
  tag: Tag
  data: string
  strength: Strength
  single_value: boolean
  /** The chain and kind of the address, if the record has one. */
  address?: CheckedAddress
}

const MAX_UNKNOWN_BYTES = 1024
const MAX_RDATA_BYTES = 4096

/** Validates and normalises a record before it is stored; throws `RecordError`. */
export function checkRecord(input: RecordInput): CheckedRecord {
  const tag = parseTag(input.tag)
  const { data, strength, address } = checkData(tag, input.data)
  const checkedRecord: CheckedRecord = { tag, data, strength, single_value: isSingleValue(tag) }
  return address ? { ...checkedRecord, address } : checkedRecord
}

type CheckedData = { data: string; strength: Strength; address?: CheckedAddress }

function checkData(tag: Tag, data: string): CheckedData {
  const info = tagInfo(tag)
  const { check, longest = 255 } = tagUse(tag)
  if (check === 'display_form') return { data: checkPreferredForm(data), strength: 'format' }
  if (check === 'payment_address') return { data: paymentAddress(data), strength: 'none' }
  if (check === 'onion') return { data: checkOnion(data), strength: 'checksum' }
  if (!info && tagClass(tag) !== 'crypto')
    return { data: checkText(data, MAX_UNKNOWN_BYTES), strength: 'none' }
  const form = info?.data_form ?? 'address'
  if (form === 'address' || form === 'address_hex20') return addressRecord(tag, info?.ticker, data)
  if (form === 'token') return tokenRecord(data)
  const limit = info?.max_bytes ?? longest
  return { data: plainData(form, data, limit), strength: looseForms.has(form) ? 'none' : 'format' }
}

const looseForms: ReadonlySet<DataForm> = new Set([
  'text',
  'modifiers',
  'signature',
  'dns_rdata',
  'ticker_address',
])

function plainData(form: DataForm, data: string, limit: number): string {
  if (form === 'url') return checkUrl(data)
  if (form === 'hex32') return checkHex32(data)
  if (form === 'date') return checkDate(data)
  if (form === 'ipv4') return checkIpv4(data)
  if (form === 'ipv6') return checkIpv6(data)
  if (form === 'dns_name') return checkHostName(data, limit)
  if (form === 'dns_rdata') return checkText(data, MAX_RDATA_BYTES)
  if (form === 'ticker_address') return otherCurrency(data)
  return checkText(data, limit)
}

/**
 * The address format of an unlisted currency is unknown, so only its characters are checked. A listed
 * one must not bypass the check of its own category.
 */
function otherCurrency(data: string): string {
  const parts = checkTickerAddress(data)
  const [own] = ownCategories(parts.ticker)
  if (own)
    throw new RecordError(
      'other_address_kind',
      `${parts.ticker} has a category of its own, which checks addresses. Add it as ${own.name} (${own.tag}).`,
      'ticker',
    )
  orRecordError(() => refuseStrangers(parts.address))
  return buildTickerAddress(parts)
}

/** Bank account numbers are written in groups. */
function paymentAddress(data: string): string {
  const text = checkText(data, 255, 'address')
  for (const group of text.split(' ')) orRecordError(() => refuseStrangers(group))
  return text
}

function addressRecord(tag: Tag, ticker: string | null | undefined, data: string): CheckedData {
  const parts = checkAddressData(data)
  const address = addressOf(ticker ?? '', parts.address)
  const kinds = tagUse(tag).address_kinds
  if (kinds && !kinds.includes(address.kind)) {
    const home = address.kind === 'sub' ? 'Monero sub address' : 'Monero standard address'
    throw new RecordError(
      'other_address_kind',
      `This is a Monero ${address.kind} address. Add it as “${home}”.`,
    )
  }
  const normal = buildAddressData({ ...parts, address: address.address })
  return { data: normal, strength: address.strength, address }
}

function tokenRecord(data: string): CheckedData {
  const token = checkTokenData(data)
  checkNetwork(token.short_name, token.settlement_network)
  const address = addressOf(token.settlement_network, token.address)
  const tokensAt = findChain(token.settlement_network)?.tokensAt
  if (tokensAt !== undefined && address.kind !== tokensAt) {
    // Only chains with a second address format beside EVM get here.
    throw new RecordError(
      'other_address_kind',
      'This kind of address can’t receive tokens. Use one that begins with 0x.',
    )
  }
  return {
    data: buildTokenData({ ...token, address: address.address }),
    strength: address.strength,
    address,
  }
}

/** Tokens sent on an unexpected chain are lost. */
function checkNetwork(token: string, network: string): void {
  const isOwn = token.toUpperCase() === network
  if (isOwn && isUncheckedChain(network)) return
  if (!findNetwork(network) && (networksOf(network) || isOwn))
    throw new RecordError(
      'malformed_data',
      `${network} is not a network. Name the chain of the token, such as ETH.`,
      'network',
    )
  const networks = knownNetworks(token)
  if (networks.length > 0 && !networks.includes(network) && !mayCarry(network, token, networks))
    throw new RecordError(
      'malformed_data',
      `${token} can’t be paid on the network ${network}. Its networks are ${networks.join(', ')}.`,
      'network',
    )
}

/** True if a chain may carry a coin or token that our tables list for other chains. */
function mayCarry(network: string, token: string, networks: readonly string[]): boolean {
  // A coin leaves its own chain only for chains with the same accounts.
  if (findChain(mainTicker(token))) return isEvm(network) && networks.some(isEvm)
  // Tokens spread over the EVM chains, and the table does not cover chains without a currency.
  if (isEvm(network) || !findChain(network)) return findNetwork(network) !== undefined
  // The list names only the usual chain of a token: another chain with a check is accepted.
  return networksOf(token) === undefined
}

function addressOf(currency: string, text: string): CheckedAddress {
  checkText(text, 512, 'address')
  return orRecordError(() => checkAddress(currency, text))
}

function orRecordError<Answer>(check: () => Answer): Answer {
  try {
    return check()
  } catch (error) {
    if (error instanceof AddressError) throw new RecordError(error.code, error.message)
    throw error
  }
}
