import Stripe from 'stripe'
import { bindUseCases } from '../bind.ts'
import { createCustomer, findSavedCard, forgetSavedCard, listSavedCards } from './card-customers.ts'
import { findDisputes, listDisputes } from './card-disputes.ts'
import { cardEvent } from './card-events.ts'
import {
  cancelPayment,
  captureCard,
  changeAmount,
  chargeCard,
  createPayment,
  findAttempt,
  findPayment,
  lookAtPayment,
  releaseCard,
} from './card-payments.ts'
import { findRefund, hasRefundFailed, refundPayment } from './card-refunds.ts'
import type { CardGateway } from './gateway.ts'

type Options = {
  secretKey: string
  webhookSecret: string
  /** The address of Stripe's API, if not the default. */
  apiUrl?: string | undefined
  now?: () => Date
  /** Multiplies the time limit of calls. */
  patience?: number | undefined
}

// Below the time limit of requests; jobs retry.
const limitMs = 4_000
const maxNetworkRetries = 1

/** Cards through Stripe. */
export function createCardGateway(options: Options): CardGateway {
  const { secretKey, webhookSecret, apiUrl, now = () => new Date(), patience = 1 } = options
  const stripe = new Stripe(secretKey, {
    timeout: limitMs * patience,
    maxNetworkRetries,
    telemetry: false,
    ...(apiUrl ? addressOf(apiUrl) : {}),
  })
  const calls = bindUseCases(stripe, {
    create: createPayment,
    find: findPayment,
    changeAmount,
    look: lookAtPayment,
    cancel: cancelPayment,
    charge: chargeCard,
    capture: captureCard,
    release: releaseCard,
    attemptOf: findAttempt,
    refund: refundPayment,
    findRefund,
    hasFailed: hasRefundFailed,
    disputesOf: listDisputes,
    findDisputes,
    createCustomer,
    savedCards: listSavedCards,
    findCard: findSavedCard,
    forgetCard: forgetSavedCard,
  })
  return {
    ...calls,
    readEvent: (body, headers) =>
      cardEvent(body, headers['stripe-signature'], webhookSecret, now().getTime()),
  }
}

function addressOf(apiUrl: string) {
  const { protocol, hostname, port } = new URL(apiUrl)
  const isHttp = protocol === 'http:'
  const portNumber = port || (isHttp ? '80' : '443')
  return {
    host: hostname,
    port: portNumber,
    protocol: isHttp ? ('http' as const) : ('https' as const),
  }
}
