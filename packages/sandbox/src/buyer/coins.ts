import { coinsOf } from '../crypto/claims.ts'
import { toUnits } from '../crypto/decimal.ts'
import { coins, isCoin } from '../crypto/methods.ts'
import type { KeptInvoice, MethodId } from '../crypto/objects.ts'
import { ProblemError } from '../crypto/problems.ts'
import type { CryptoProvider } from '../crypto/provider.ts'
import { BuyerError } from './errors.ts'

export type CoinChoice = {
  method: MethodId
  /** How much of the whole amount; without it and without `amount`, what is still due. */
  percent: number | undefined
  /** In coins. */
  amount: string | undefined
  confirmed: boolean
}

export type CoinBuyer = ReturnType<typeof createCoinBuyer>

/** What somebody with cryptocurrency does, and the networks they use. */
export function createCoinBuyer(provider: CryptoProvider) {
  const asBuyer = <Found>(work: () => Found): Found => {
    try {
      return work()
    } catch (error) {
      if (error instanceof ProblemError) throw new BuyerError(404, 'There is no such invoice.')
      throw error
    }
  }

  return {
    invoice: (id: string): KeptInvoice => asBuyer(() => provider.find(id)),

    pay: (id: string, choice: CoinChoice): KeptInvoice =>
      asBuyer(() => provider.pay(id, choice.method, askedCoins(id, choice), choice.confirmed)),

    confirm: (id: string): KeptInvoice => asBuyer(() => provider.decide(id, 'Settled')),

    fail: (id: string): KeptInvoice => asBuyer(() => provider.decide(id, 'Invalid')),

    expire: (id: string): KeptInvoice => asBuyer(() => provider.expire(id)),

    claim(id: string, destination: string): void {
      const { state } = provider
      const claim = state.get('claim', id)
      if (!claim) throw new BuyerError(404, 'There is no such refund.')
      if (claim.destination !== null) throw new BuyerError(409, 'This refund is claimed already.')
      if (!/^[\w:.@-]{10,300}$/.test(destination)) throw new BuyerError(400, 'Give an address.')
      const claimed = Math.floor(Date.now() / 1_000)
      state.change(() => state.put('claim', { ...claim, destination, claimed }))
    },

    /** The shop approves the payout of a claim, and pays it. */
    payOut(id: string): void {
      const { state } = provider
      const claim = state.get('claim', id)
      if (!claim) throw new BuyerError(404, 'There is no such refund.')
      if (claim.destination === null) throw new BuyerError(409, 'Nobody has claimed this refund.')
      const paid = { ...claim, isPaid: true, paidCoins: coinsOf(state, claim) }
      state.change(() => state.put('claim', paid))
    },

    /** The market moves: new invoices and payouts use this rate. */
    setRate(coin: string, currency: string, rate: string): void {
      const { state } = provider
      if (!isCoin(coin) || !Object.hasOwn(coins[coin].rates, currency)) {
        throw new BuyerError(400, 'Give a coin and a currency that are known here.')
      }
      if (!toUnits(rate)) throw new BuyerError(400, 'Give the rate as a decimal number.')
      state.change(() => state.put('rate', { id: `${coin}_${currency}`, rate }))
    },
  }

  function askedCoins(id: string, { method, percent, amount }: CoinChoice): bigint {
    if (amount !== undefined) {
      const units = toUnits(amount)
      if (units === undefined) throw new BuyerError(400, 'Give the amount as a decimal number.')
      return units
    }
    if (percent === undefined) return provider.dueOf(id, method, 'due')
    const share = BigInt(Math.round(percent * 1_000))
    return (provider.dueOf(id, method, 'amount') * share) / 100_000n
  }
}
