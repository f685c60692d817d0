import type { State } from '../state.ts'
import type { Courier } from '../webhooks/courier.ts'
import { createCryptoWebhooks } from './webhooks.ts'

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

type Options = {
  state: State
  courier: Courier
  seconds: () => number
  origin: () => string
  options: CryptoOptions
}

const oldestVersion = '2.0.0'
const ownWebhook = 'sandbox'

/** The crypto provider: its state, clock and webhooks. The files beside hold its operations. */
export function createCryptoProvider(input: Options): CryptoDesk {
  const { state, courier, seconds, origin, options } = input
  const { version = oldestVersion } = options
  const webhooks = createCryptoWebhooks({ state, courier, seconds })
  return { state, seconds, origin, options, version, webhooks }
}

/** Stores the webhook that the sandbox was started with. */
export function keepOwnWebhook({ state, options }: CryptoDesk): void {
  state.change(() =>
    state.put('webhook', {
      id: ownWebhook,
      enabled: true,
      automaticRedelivery: true,
      url: options.webhookUrl,
      secret: options.webhookSecret,
      authorizedEvents: { everything: true, specificEvents: [] },
    }),
  )
}
