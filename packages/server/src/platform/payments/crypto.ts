import { bindUseCases } from '../bind.ts'
import { cryptoEvent } from './crypto-events.ts'
import type { CryptoDeps } from './crypto-invoices.ts'
import { cancelPayment, createPayment, findPayment, lookAtPayment } from './crypto-invoices.ts'
import { createRates } from './crypto-rates.ts'
import { findRefund, isPaidOut, refundPayment } from './crypto-refunds.ts'
import type { CryptoGateway } from './gateway.ts'
import { createGreenfield } from './greenfield.ts'

type Options = {
  url: string
  apiKey: string
  storeId: string
  webhookSecret: string
  now?: () => Date
  /** Multiplies the time limit of calls. */
  patience?: number | undefined
}

/** Cryptocurrency through a BTCPay Server. */
export function createCryptoGateway(options: Options): CryptoGateway {
  const { storeId, webhookSecret, now = () => new Date() } = options
  const greenfield = createGreenfield(options)
  const store = `/stores/${encodeURIComponent(storeId)}`
  const deps: CryptoDeps = {
    greenfield,
    store,
    now,
    rateNow: createRates({ greenfield, store, now }),
  }
  const calls = bindUseCases(deps, {
    create: createPayment,
    find: findPayment,
    look: lookAtPayment,
    cancel: cancelPayment,
    refund: refundPayment,
    findRefund,
    isPaidOut,
  })
  return {
    ...calls,
    changeAmount: async () => false,
    // A claim waits until the buyer enters an address, without a limit.
    hasFailed: async () => false,
    readEvent: (body, headers) =>
      cryptoEvent(body, headers['btcpay-sig'], webhookSecret, now().getTime()),
  }
}
