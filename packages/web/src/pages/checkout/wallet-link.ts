import { paymentUri } from '@emojid/core'

export type CryptoMethod = { address: string; amount: number; currency: string; title: string }

/** Without an exponent, as wallets take it. */
export const amountText = (amount: number): string =>
  amount.toLocaleString('en-US', { maximumFractionDigits: 12, useGrouping: false })

/** What opens a wallet and fills it in; nothing where only the address can be shown. */
export function walletLink({ address, amount, currency }: CryptoMethod): string | undefined {
  if (/^ln[a-z0-9]+$/i.test(address)) return `lightning:${address}`
  try {
    return paymentUri({ ticker: currency, address, amount: amountText(amount) })
  } catch {
    return undefined
  }
}
