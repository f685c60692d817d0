import { paymentUri } from '@emojid/core'

export type CryptoMethod = { address: string; amount: number; currency: string; title: string }

/** Without an exponent, which wallets do not parse. */
export const amountText = (amount: number): string =>
  amount.toLocaleString('en-US', { maximumFractionDigits: 12, useGrouping: false })

/** A link that opens a wallet with the payment filled in; undefined if the currency has none. */
export function walletLink({ address, amount, currency }: CryptoMethod): string | undefined {
  if (/^ln[a-z0-9]+$/i.test(address)) return `lightning:${address}`
  try {
    return paymentUri({ ticker: currency, address, amount: amountText(amount) })
  } catch {
    return undefined
  }
}
