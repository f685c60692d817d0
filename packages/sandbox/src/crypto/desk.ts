import type { State } from '../state.ts'
import type { createCryptoWebhooks } from './webhooks.ts'

export type CryptoOptions = {
  /** Which BTCPay it says it is, and behaves like; the oldest supported one unless given. */
  version?: string
  apiKey: string
  storeId: string
  webhookUrl: string
  webhookSecret: string
}

/** Dependencies of the crypto provider. */
export type CryptoDesk = {
  state: State
  /** The time in whole seconds, as BTCPay writes it. */
  seconds(): number
  /** Where buyers' browsers find the sandbox. */
  origin(): string
  options: CryptoOptions
  version: string
  webhooks: ReturnType<typeof createCryptoWebhooks>
}
