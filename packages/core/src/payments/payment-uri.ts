import { checkAddress } from '../addresses/check-address.ts'
import { mainTicker } from '../addresses/main-ticker.ts'
import { tokenContract } from '../addresses/token-contracts.ts'
import { networkTicker } from '../addresses/token-networks.ts'
import { checkAmount, type DecimalAmount, inSmallestUnits } from './amount.ts'

export type PaymentRequest = {
  /** The currency: a coin, or a token together with its network. */
  ticker: string
  network?: string
  address: string
  amount?: DecimalAmount
  label?: string
  message?: string
}

type BitcoinLike = { scheme: string; decimals: number }

/** Coins with BIP-21 or a close variant. */
export const bitcoinLike: Readonly<Record<string, BitcoinLike>> = {
  BTC: { scheme: 'bitcoin', decimals: 8 },
  LTC: { scheme: 'litecoin', decimals: 8 },
  DOGE: { scheme: 'dogecoin', decimals: 8 },
  BCH: { scheme: 'bitcoincash', decimals: 8 },
  DASH: { scheme: 'dash', decimals: 8 },
  ZEC: { scheme: 'zcash', decimals: 8 },
  BTG: { scheme: 'bitcoingold', decimals: 8 },
  DGB: { scheme: 'digibyte', decimals: 8 },
  RVN: { scheme: 'raven', decimals: 8 },
  QTUM: { scheme: 'qtum', decimals: 8 },
  DCR: { scheme: 'decred', decimals: 8 },
}

/** EIP-155 chain ids; without one, some wallets assume Ethereum and others the current chain. */
const chainIds: Readonly<Record<string, number>> = {
  ETH: 1,
  BNB: 56,
  ETC: 61,
  MATIC: 137,
  FTM: 250,
  KLAY: 8217,
  CELO: 42220,
  AVAX: 43114,
  ONE: 1666600000,
  CRO: 25,
}

/**
 * A link that opens a wallet, or undefined if the currency has no standard, so only the address can
 * be shown. Throws `AddressError` for an address that is not valid on its network.
 */
export function paymentUri(input: PaymentRequest): string | undefined {
  const ticker = mainTicker(input.ticker)
  const network = input.network === undefined ? ticker : networkTicker(input.network)
  const request = { ...input, address: checkAddress(network, input.address).address }
  if (!/^[A-Za-z0-9:_-]+$/.test(request.address)) return undefined
  if (ticker !== network) return tokenUri(request, ticker, network)
  if (Object.hasOwn(bitcoinLike, ticker))
    return bitcoinUri(request, bitcoinLike[ticker] as BitcoinLike)
  if (ticker === 'XMR') return moneroUri(request)
  if (ticker === 'SOL') return solanaUri(request, 9)
  const chainId = chainIds[ticker]
  if (chainId === undefined || !/^0x[0-9a-fA-F]{40}$/.test(request.address)) return undefined
  const value = request.amount === undefined ? undefined : inSmallestUnits(request.amount, 18)
  return `ethereum:${request.address}@${chainId}${query({ value })}`
}

/** The scheme of Bitcoin Cash is the prefix of its addresses. */
function bitcoinUri(
  { address, amount, label, message }: PaymentRequest,
  coin: BitcoinLike,
): string {
  const bareAddress = address.startsWith(`${coin.scheme}:`)
    ? address.slice(coin.scheme.length + 1)
    : address
  const sum = amount === undefined ? undefined : checkAmount(amount, coin.decimals)
  return `${coin.scheme}:${bareAddress}${query({ amount: sum, label, message })}`
}

function moneroUri({ address, amount, label, message }: PaymentRequest): string {
  const sum = amount === undefined ? undefined : checkAmount(amount, 12)
  const names = { tx_amount: sum, recipient_name: label, tx_description: message }
  return `monero:${address}${query(names)}`
}

function solanaUri(
  { address, amount, label, message }: PaymentRequest,
  decimals: number,
  mint?: string,
) {
  const sum = amount === undefined ? undefined : checkAmount(amount, decimals)
  return `solana:${address}${query({ amount: sum, 'spl-token': mint, label, message })}`
}

function tokenUri(request: PaymentRequest, token: string, network: string): string | undefined {
  const knownContract = tokenContract(token, network)
  if (!knownContract) return undefined
  if (network === 'SOL') return solanaUri(request, knownContract.decimals, knownContract.contract)
  const chainId = chainIds[network]
  if (chainId === undefined || !/^0x[0-9a-fA-F]{40}$/.test(request.address)) return undefined
  const { address, amount } = request
  const uint256 = amount === undefined ? undefined : inSmallestUnits(amount, knownContract.decimals)
  return `ethereum:${knownContract.contract}@${chainId}/transfer${query({ address, uint256 })}`
}

/** Percent-encoded, with spaces as %20: wallets do not decode the plus sign of HTML forms. */
function query(values: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(values)
    .filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value.replace(/\p{Cs}/gu, '\uFFFD'))}`)
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}
