import {
  checkAddress,
  inReadingOrder,
  networkName,
  networksOf,
  networkTicker,
  otherCurrencyTag,
  type PaymentAddress,
  paymentAddresses,
  paymentUri,
  type StoredRecord,
  type Strength,
  storedStrength,
  tagInfo,
} from '@emojid/core'
import { takeTurn } from '../../../platform/turns.ts'

export type WayToPay = {
  /** Such as Bitcoin. */
  name: string
  /** Such as BTC. */
  ticker: string
  /** The networks of a token; several if the address alone does not tell. */
  networks: string[]
  /** The owner's name for the wallet. */
  label: string | undefined
  address: string
  /** The payment URI, if the currency has a standard. */
  uri: string | undefined
  /** `wrong`: not a valid address of this currency, as far as we know. */
  strength: Strength | 'wrong'
}

/** One way per currency, in agreement with the payment lookup. */
export async function waysToPay(records: readonly StoredRecord[]): Promise<WayToPay[]> {
  const ways: WayToPay[] = []
  for (const payment of Object.values(paymentAddresses(records))) {
    ways.push(wayOf(payment))
    await takeTurn()
  }
  return ways
}

function wayOf(payment: PaymentAddress): WayToPay {
  const { address, category, description, short_name, long_name, settlement_network } = payment
  const info = tagInfo(category)
  const ticker = short_name ?? info?.ticker ?? ''
  const name = long_name ?? (category === otherCurrencyTag ? ticker : info?.name) ?? ticker
  const networks = settlement_network
    ? [networkTicker(settlement_network)]
    : networksFor(ticker, address)
  const strength = strengthOf(settlement_network ?? ticker, address)
  return {
    ticker,
    address,
    strength,
    name: inReadingOrder(name),
    label: description && inReadingOrder(description),
    networks: networks.filter((network) => network !== ticker).map(networkName),
    uri: strength === 'wrong' ? undefined : uriOf(ticker, networks, address),
  }
}

/** The networks of a currency on which the address is valid. */
const networksFor = (ticker: string, address: string): string[] =>
  (networksOf(ticker) ?? []).filter((network) => strengthOf(network, address) !== 'wrong')

function strengthOf(currency: string, address: string): WayToPay['strength'] {
  try {
    return storedStrength(checkAddress(currency, address))
  } catch {
    return 'wrong'
  }
}

/** Without a named network, a wallet might send on another one. */
function uriOf(ticker: string, networks: readonly string[], address: string) {
  const [network] = networks
  if (networks.length > 1) return undefined
  return paymentUri({ ticker, address, ...(network ? { network } : {}) })
}
