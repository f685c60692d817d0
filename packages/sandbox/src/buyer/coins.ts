import { coinsOf } from '../crypto/claims.ts'
import { toUnits } from '../crypto/decimal.ts'
import * as invoices from '../crypto/invoice-actions.ts'
import { coins, isCoin } from '../crypto/methods.ts'
import type { MethodId, StoredClaim, StoredInvoice } from '../crypto/objects.ts'
import { ProblemError } from '../crypto/problems.ts'
import type { CryptoDesk } from '../crypto/provider.ts'
import { BuyerError } from './errors.ts'

export type CoinChoice = {
  method: MethodId
  /** The share of the whole amount; without it and without `amount`, the amount due. */
  percent: number | undefined
  /** The number of coins. */
  amount: string | undefined
  confirmed: boolean
}

export const findInvoice = (provider: CryptoDesk, id: string): StoredInvoice =>
  asBuyer(() => invoices.find(provider, id))

export const payInvoice = (provider: CryptoDesk, id: string, choice: CoinChoice): StoredInvoice =>
  asBuyer(() => {
    const { method, confirmed } = choice
    return invoices.pay(provider, id, method, askedCoins(provider, id, choice), confirmed)
  })

/** Confirms or drops payments, or expires the invoice. */
export const continueInvoice = (
  provider: CryptoDesk,
  id: string,
  act: 'confirm' | 'fail' | 'expire',
): StoredInvoice =>
  asBuyer(() => {
    if (act === 'expire') return invoices.expire(provider, id)
    return invoices.decide(provider, id, act === 'confirm' ? 'Settled' : 'Invalid')
  })

export function claimRefund({ state }: CryptoDesk, id: string, destination: string): void {
  const claim = findClaim(state, id)
  if (claim.destination !== null) throw new BuyerError(409, 'This refund is already claimed.')
  if (!/^[\w:.@-]{10,300}$/.test(destination)) throw new BuyerError(400, 'Enter an address.')
  const claimedAt = Math.floor(Date.now() / 1_000)
  state.change(() => state.put('claim', { ...claim, destination, claimed: claimedAt }))
}

/** The shop approves the payout of a claim, and pays it. */
export function payOutClaim({ state }: CryptoDesk, id: string): void {
  const claim = findClaim(state, id)
  if (claim.destination === null) throw new BuyerError(409, 'This refund is not claimed yet.')
  const paidClaim = { ...claim, isPaid: true, paidCoins: coinsOf(state, claim) }
  state.change(() => state.put('claim', paidClaim))
}

function findClaim(state: CryptoDesk['state'], id: string): StoredClaim {
  const claim = state.get('claim', id)
  if (!claim) throw new BuyerError(404, 'This refund does not exist.')
  return claim
}

/** Moves the market: new invoices and payouts use this rate. */
export function setRate({ state }: CryptoDesk, coin: string, currency: string, rate: string): void {
  if (!isCoin(coin) || !Object.hasOwn(coins[coin].rates, currency)) {
    throw new BuyerError(400, 'Name a known coin and currency.')
  }
  if (!toUnits(rate)) throw new BuyerError(400, 'The rate must be a decimal number.')
  state.change(() => state.put('rate', { id: `${coin}_${currency}`, rate }))
}

function askedCoins(
  provider: CryptoDesk,
  id: string,
  { method, percent, amount }: CoinChoice,
): bigint {
  if (amount !== undefined) {
    const units = toUnits(amount)
    if (units === undefined) throw new BuyerError(400, 'The amount must be a decimal number.')
    return units
  }
  if (percent === undefined) return invoices.dueOf(provider, id, method, 'due')
  const share = BigInt(Math.round(percent * 1_000))
  return (invoices.dueOf(provider, id, method, 'amount') * share) / 100_000n
}

function asBuyer<Found>(work: () => Found): Found {
  try {
    return work()
  } catch (error) {
    if (error instanceof ProblemError) throw new BuyerError(404, 'This invoice does not exist.')
    throw error
  }
}
