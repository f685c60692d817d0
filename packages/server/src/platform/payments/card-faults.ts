import Stripe from 'stripe'
import { type DeclineReason, providerAway, RefusedError, UnpayableAmountError } from './gateway.ts'

const { StripeError, StripeConnectionError } = Stripe.errors

const isStatus = (error: unknown, status: number): boolean =>
  error instanceof StripeError && error.statusCode === status

/** Stripe understood the call and refuses it. */
export const isRefusal = (error: unknown): boolean => isStatus(error, 400)

/** The bank declined the card. */
export const isDecline = (error: unknown): boolean => isStatus(error, 402)

/** The decline reason, if the buyer can act on it. */
export function declineReasonOf(error: unknown): DeclineReason {
  if (!(error instanceof StripeError)) return 'declined'
  const codes = [error.code, error.decline_code]
  if (codes.includes('insufficient_funds')) return 'insufficient_funds'
  return codes.includes('expired_card') ? 'expired_card' : 'declined'
}

/** The object does not exist, or the name is too long to exist. */
export const isGone = (error: unknown): boolean => isStatus(error, 404) || isStatus(error, 414)

export const isCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof StripeError && codes.includes(error.code ?? '')

/**
 * Calls Stripe and translates its errors. Stripe's messages may repeat keys and request data, so
 * only codes are kept.
 */
export async function askStripe<Answer>(
  subject: string,
  call: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    if (isCode(error, 'amount_too_small', 'amount_too_large')) throw new UnpayableAmountError()
    const { statusCode = 0, code, param, requestId } = error
    // 409: a request with this key is in progress. No status: no response.
    const isPassing = statusCode === 0 || statusCode === 409 || statusCode === 429
    if (isPassing || statusCode >= 500 || error instanceof StripeConnectionError) {
      throw providerAway()
    }
    const details = [statusCode, code, param, requestId].filter(Boolean).join(', ')
    const message = `Stripe refused to ${subject}: ${details}.`
    // An error of our API key says nothing about the request.
    throw statusCode === 401 || statusCode === 403 ? new Error(message) : new RefusedError(message)
  }
}
