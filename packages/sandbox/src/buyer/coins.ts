import { coinsOf } from '../crypto/claims.ts'
import { toUnits } from '../crypto/decimal.ts'
import type { CryptoDesk } from '../crypto/desk.ts'
import * as invoices from '../crypto/invoice-actions.ts'
import { coins, isCoin } from '../crypto/methods.ts'
import type { KeptClaim, KeptInvoice, MethodId } from '../crypto/objects.ts'
import { ProblemError } from '../crypto/problems.ts'
import { BuyerError } from './errors.ts'

export type CoinChoice = {
  method: MethodId
  /** How much of the whole amount; without it and without `amount`, what is still due. */
  percent: number | undefined
  /** In coins. */
  amount: string | undefined
  confirmed: boolean
}

export const findInvoice = (provider: CryptoDesk, id: string): KeptInvoice =>
  asBuyer(() => invoices.find(provider, id))

export const payInvoice = (provider: CryptoDesk, id: string, choice: CoinChoice): KeptInvoice =>
  asBuyer(() => {
    const { method, confirmed } = choice
    return invoices.pay(provider, id, method, askedCoins(provider, id, choice), confirmed)
  })

/** Confirms payments, and lets invoices expire. */
export const continueInvoice = (
  provider: CryptoDesk,
  id: string,
  act: 'confirm' | 'fail' | 'expire',
): KeptInvoice =>
  asBuyer(() => {
    if (act === 'expire') return invoices.expire(provider, id)
    return invoices.decide(provider, id, act === 'confirm' ? 'Settled' : 'Invalid')
  })

export function claimRefund({ state }: CryptoDesk, id: string, destination: string): void {
  const claim = findClaim(state, id)
  if (claim.destination !== null) throw new BuyerError(409, 'This refund is claimed already.')
  if (!/^[\w:.@-]{10,300}$/.test(destination)) throw new BuyerError(400, 'Give an address.')
  const claimed = Math.floor(Date.now() / 1_000)
  state.change(() => state.put('claim', { ...claim, destination, claimed }))
}

/** The shop approves the payout of a claim, and pays it. */
export function payOutClaim({ state }: CryptoDesk, id: string): void {
  const claim = findClaim(state, id)
  if (claim.destination === null) throw new BuyerError(409, 'Nobody has claimed this refund.')
  const paid = { ...claim, isPaid: true, paidCoins: coinsOf(state, claim) }
  state.change(() => state.put('claim', paid))
}

function findClaim(state: CryptoDesk['state'], id: string): KeptClaim {
  const claim = state.get('claim', id)
  if (!claim) throw new BuyerError(404, 'There is no such refund.')
  return claim
}

/** The market moves: new invoices and payouts use this rate. */
export function setRate({ state }: CryptoDesk, coin: string, currency: string, rate: string): void {
  if (!isCoin(coin) || !Object.hasOwn(coins[coin].rates, currency)) {
    throw new BuyerError(400, 'Give a coin and a currency that are known here.')
  }
  if (!toUnits(rate)) throw new BuyerError(400, 'Give the rate as a decimal number.')
  state.change(() => state.put('rate', { id: `${coin}_${currency}`, rate }))
}

function askedCoins(
  provider: CryptoDesk,
  id: string,
  { method, percent, amount }: CoinChoice,
): bigint {
  if (amount !== undefined) {
    const units = toUnits(amount)
    if (units === undefined) throw new BuyerError(400, 'Give the amount as a decimal number.')
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
    if (error instanceof ProblemError) throw new BuyerError(404, 'There is no such invoice.')
    throw error
  }
}
