import type Stripe from 'stripe'

type Details = {
  type?: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  code?: string
  param?: string
  decline_code?: string
  charge?: string
  payment_intent?: Stripe.PaymentIntent
  payment_method?: Stripe.PaymentMethod
}

/** An error response in Stripe's format. */
export class CardApiError extends Error {
  override readonly name = 'CardApiError'
  readonly status: number
  readonly details: Details

  constructor(status: number, message: string, details: Details = {}) {
    super(message)
    this.status = status
    this.details = details
  }

  body() {
    const { type = 'invalid_request_error', code, ...rest } = this.details
    const doc_url = code && `https://docs.stripe.com/error-codes#${code.replaceAll('_', '-')}`
    return { error: { type, ...(code ? { code, doc_url } : {}), message: this.message, ...rest } }
  }
}

export const missingParameter = (param: string) =>
  new CardApiError(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })

export const invalidParameter = (param: string, message: string, code?: string) =>
  new CardApiError(400, message, { param, ...(code ? { code } : {}) })

export const noSuch = (subject: string, id: string, param = 'id') =>
  new CardApiError(404, `No such ${subject}: '${id}'`, { code: 'resource_missing', param })

/** A request that names a missing object gets 400; one addressed to it, 404. */
export const noSuchNamed = (subject: string, id: string, param: string) =>
  new CardApiError(400, `No such ${subject}: '${id}'`, { code: 'resource_missing', param })

export const wrongState = (message: string, payment_intent?: Stripe.PaymentIntent) =>
  new CardApiError(400, message, {
    code: 'payment_intent_unexpected_state',
    ...(payment_intent ? { payment_intent } : {}),
  })
