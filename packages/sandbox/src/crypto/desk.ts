import type { State } from '../state.ts'
import type { createCryptoWebhooks } from './webhooks.ts'

export type CryptoOptions = {
  /** The BTCPay version to report and imitate; default: the oldest supported one. */
  version?: string
  apiKey: string
  storeId: string
  webhookUrl: string
  webhookSecret: string
}

/** Dependencies of the parts of the crypto provider. */
export type CryptoDesk = {
  state: State
  /** The time in whole seconds, as BTCPay writes it. */
  seconds(): number
  /** The address of the sandbox in buyers' browsers. */
  origin(): string
  options: CryptoOptions
  version: string
  webhooks: ReturnType<typeof createCryptoWebhooks>
}
