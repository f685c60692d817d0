import { findChain } from '../addresses/chains.ts'
import { checkAddress } from '../addresses/check-address.ts'
import { mainTicker } from '../addresses/main-ticker.ts'
import { isNetwork, networkTicker } from '../addresses/token-networks.ts'
import { knownNetworks } from '../records/known-tokens.ts'
import { tokenTag } from '../records/tags.ts'
import { tagsOfTicker } from '../records/tickers.ts'
import { parseTokenData } from '../records/token-data.ts'
import {
  byRecency,
  type PaymentAddress,
  paymentAddresses,
  type StoredRecord,
} from './payment-view.ts'

/** The address of a token on a network, and the record that it comes from. */
export type TokenAddress = PaymentAddress & { source: 'token_record' | 'network_record' }

/**
 * The newest record of the token on that network; else the network's own address, if the token
 * exists there and arrives at the plain account. Nothing else is tried: an address for another
 * chain or currency may look the same and belong to an exchange that loses unexpected tokens.
 */
export function tokenAddress(
  orderedRecords: readonly StoredRecord[],
  token: string,
  network: string,
): TokenAddress | undefined {
  const [name, chain] = [token.toUpperCase(), networkTicker(network)]
  const own = byRecency(orderedRecords).findLast((record) => isOf(record, name, chain))
  if (own) {
    const [address] = Object.values(paymentAddresses([own]))
    return address && { ...address, source: 'token_record' }
  }
  if (mainTicker(name) !== chain && !livesOn(name, chain)) return undefined
  const tags = tagsOfTicker(chain) ?? []
  const plain = Object.values(paymentAddresses(orderedRecords, tags)).find(
    ({ address }) => mainTicker(name) === chain || holdsTokens(chain, address),
  )
  return plain && { ...plain, source: 'network_record' }
}

/** Whether the directory knows the network, or a token of these records is on it. */
export function isNetworkOf(records: readonly StoredRecord[], network: string): boolean {
  const chain = networkTicker(network)
  return isNetwork(network) || records.some((record) => tokenOf(record)?.chain === chain)
}

function isOf(record: StoredRecord, name: string, chain: string): boolean {
  const token = tokenOf(record)
  return token?.name === name && token.chain === chain
}

/** Servers keep records in memory, and parse each once for all lookups. */
const tokens = new WeakMap<StoredRecord, { name: string; chain: string }>()

function tokenOf(record: StoredRecord): { name: string; chain: string } | undefined {
  if (record.tag !== tokenTag) return undefined
  const known = tokens.get(record)
  if (known) return known
  const { short_name, settlement_network } = parseTokenData(record.data)
  const token = { name: short_name.toUpperCase(), chain: networkTicker(settlement_network) }
  tokens.set(record, token)
  return token
}

function livesOn(name: string, chain: string): boolean {
  return !findChain(mainTicker(name)) && knownNetworks(name).includes(chain)
}

/** Some chains, such as Avalanche, also have addresses that cannot hold tokens. */
function holdsTokens(chain: string, address: string): boolean {
  const tokensAt = findChain(chain)?.tokensAt
  try {
    return tokensAt !== undefined && checkAddress(chain, address).kind === tokensAt
  } catch {
    return false
  }
}
