import { randomHex, randomText } from '../ids.ts'
import type { State } from '../state.ts'
import { type MethodId, methodIds, type StoreMethod } from './objects.ts'

type Currency = { places: number; rates: Readonly<Record<string, string>> }

/** The initial rates, until a test moves the market. */
export const coins = {
  BTC: { places: 8, rates: { USD: '97531.86', EUR: '84219.47' } },
  XMR: { places: 12, rates: { USD: '161.83', EUR: '139.74' } },
} as const satisfies Record<string, Currency>

export type Coin = keyof typeof coins

export const isMethodId = (text: unknown): text is MethodId =>
  methodIds.some((method) => method === text)

/** BTCPay has payouts only for these: none by LNURL, and none in Monero. */
export const payoutMethodIds: readonly MethodId[] = ['BTC-CHAIN', 'BTC-LN']

/** Lightning payments need no confirmation. */
export const isLightning = (method: MethodId): boolean => method.startsWith('BTC-LN')

/** BTCPay's fee for every on-chain payment after the first one of an invoice. */
export const nextPaymentFee = (method: MethodId): string =>
  method === 'BTC-CHAIN' ? '0.00000100' : '0'

export const coinOf = (method: MethodId): Coin => (method.startsWith('XMR') ? 'XMR' : 'BTC')

export const isCoin = (text: string): text is Coin => Object.hasOwn(coins, text)

export const rateOf = (state: State, method: MethodId, currency: string): string | undefined =>
  state.get('rate', `${coinOf(method)}_${currency}`)?.rate ??
  (coins[coinOf(method)].rates as Readonly<Record<string, string>>)[currency]

export const storeMethods = (state: State): StoreMethod[] =>
  methodIds.map((id) => state.get('store_method', id) ?? { id, enabled: true, config: null })

/** Test-network addresses: real coins cannot be sent there. LNURL has a link instead. */
export function newDestination(method: MethodId): string | null {
  const lower = (length: number) => randomText(length).toLowerCase()
  if (method === 'BTC-LNURL') return null
  if (method === 'BTC-LN') return `lnbcrt1${lower(180)}`
  if (method === 'BTC-CHAIN') return `bcrt1q${lower(38)}`
  return `5${randomText(94)}`
}

export function paymentLink(method: MethodId, destination: string | null, amount: string): string {
  if (method === 'BTC-LNURL') return 'lightning:lnurl1sandbox'
  if (method === 'BTC-LN') return `lightning:${destination}`
  if (method === 'BTC-CHAIN') return `bitcoin:${destination}?amount=${amount}`
  return `monero:${destination}?tx_amount=${amount}`
}

/** On chains, a payment is an output of a transaction; on Lightning, it is a hash. */
export const newPaymentId = (method: MethodId): string =>
  isLightning(method) ? randomHex(32) : `${randomHex(32)}-0`
