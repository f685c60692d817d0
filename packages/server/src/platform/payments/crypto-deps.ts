import type { createRates } from './crypto-rates.ts'
import type { createGreenfield } from './greenfield.ts'

/** Dependencies of calls to a BTCPay Server. */
export type CryptoDeps = {
  greenfield: ReturnType<typeof createGreenfield>
  /** The path of the store in BTCPay's API. */
  store: string
  rateNow: ReturnType<typeof createRates>
  now: () => Date
}
