import {
  checkAddress,
  inReadingOrder,
  networkName,
  networksOf,
  networkTicker,
  type PaymentAddress,
  paymentAddresses,
  paymentUri,
  type StoredRecord,
  type Strength,
  tagInfo,
} from '@emojid/core'

export type WayToPay = {
  /** Such as Bitcoin. */
  name: string
  /** Such as BTC. */
  ticker: string
  /** Where a token is sent; several where the address alone does not tell. */
  networks: string[]
  /** What the owner calls the wallet. */
  label: string | undefined
  address: string
  /** What opens a wallet, where a form is agreed on. */
  uri: string | undefined
  /** `wrong`: by what we know today, it is no address of this currency. */
  strength: Strength | 'wrong'
}

/** One way for each currency, as the payment lookup answers. */
export const waysToPay = (records: readonly StoredRecord[]): WayToPay[] =>
  Object.values(paymentAddresses(records)).map(wayOf)

function wayOf(found: PaymentAddress): WayToPay {
  const { address, category, description, short_name, long_name, settlement_network } = found
  const info = tagInfo(category)
  const ticker = short_name ?? info?.ticker ?? ''
  const name = long_name ?? (category === '0x3fff' ? ticker : info?.name) ?? ticker
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

/** Of the networks of a currency, those that have such addresses. */
const networksFor = (ticker: string, address: string): string[] =>
  (networksOf(ticker) ?? []).filter((network) => strengthOf(network, address) !== 'wrong')

function strengthOf(currency: string, address: string): WayToPay['strength'] {
  try {
    return checkAddress(currency, address).strength
  } catch {
    return 'wrong'
  }
}

/** Without a word on the network a wallet might send on another one. */
function uriOf(ticker: string, networks: readonly string[], address: string) {
  const [network] = networks
  if (networks.length > 1) return undefined
  return paymentUri({ ticker, address, ...(network ? { network } : {}) })
}
