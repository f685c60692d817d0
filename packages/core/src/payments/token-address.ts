import { findChain } from '../addresses/chains.ts'
import { checkAddress } from '../addresses/check-address.ts'
import { sharesAddresses } from '../addresses/token-networks.ts'
import { mainTicker, tagsOfTicker } from '../records/tickers.ts'
import { type PaymentAddress, paymentAddresses, type StoredRecord } from './payment-view.ts'

/** Where a token on a network is to be sent, and which record says so. */
export type TokenAddress = PaymentAddress & {
  source: 'token_record' | 'currency_record' | 'network_record'
}

/**
 * The token's own record on that network; else the record of the token's ticker, if its address is one of
 * that network; else the network's address, where tokens arrive at the plain account.
 */
export function tokenAddress(
  oldestFirst: readonly StoredRecord[],
  token: string,
  network: string,
): TokenAddress | undefined {
  const wanted = mainTicker(network)
  const found = Object.values(paymentAddresses(oldestFirst))
  const record = found.findLast(
    ({ category, short_name, settlement_network }) =>
      category === '0x6300' &&
      short_name?.toUpperCase() === token.toUpperCase() &&
      mainTicker(settlement_network ?? '') === wanted,
  )
  if (record) return { ...record, source: 'token_record' }
  const own = pick(found, token, wanted)
  if (own)
    return { ...own, source: token.toUpperCase() === wanted ? 'network_record' : 'currency_record' }
  const shared = sharesAddresses(wanted) ? pick(found, wanted, wanted) : undefined
  return shared && { ...shared, source: 'network_record' }
}

/** The record of a ticker, if its address takes tokens of the network. */
function pick(found: readonly PaymentAddress[], ticker: string, network: string) {
  const tags = tagsOfTicker(ticker) ?? []
  return found.find(({ category, address }) => tags.includes(category) && carries(network, address))
}

/** Some chains, such as Avalanche, also have addresses of a form that holds no tokens. */
function carries(network: string, address: string): boolean {
  try {
    const tokensAt = findChain(network)?.tokensAt
    const { kind } = checkAddress(network, address)
    return tokensAt === undefined || tokensAt === kind
  } catch {
    return false
  }
}
