import Stripe from 'stripe'
import { type DeclineReason, providerAway, RefusedError, UnpayableAmountError } from './gateway.ts'

const { StripeError, StripeConnectionError } = Stripe.errors

const isStatus = (error: unknown, status: number): boolean =>
  error instanceof StripeError && error.statusCode === status

/** Stripe understood, and does not do it. */
export const isRefusal = (error: unknown): boolean => isStatus(error, 400)

/** The bank of the card said no. */
export const isDecline = (error: unknown): boolean => isStatus(error, 402)

/** Why, as far as the buyer can do something about it. */
export function declineReasonOf(error: unknown): DeclineReason {
  if (!(error instanceof StripeError)) return 'declined'
  const known = [error.code, error.decline_code]
  if (known.includes('insufficient_funds')) return 'insufficient_funds'
  return known.includes('expired_card') ? 'expired_card' : 'declined'
}

/** There is nothing of that name, or no name is as long as that. */
export const isGone = (error: unknown): boolean => isStatus(error, 404) || isStatus(error, 414)

export const isCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof StripeError && codes.includes(error.code ?? '')

/**
 * Runs a call to Stripe; what goes wrong is told in our words. Stripe's own may repeat keys and
 * what was sent, so nothing of them is kept but codes.
 */
export async function askStripe<Answer>(
  what: string,
  call: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    if (isCode(error, 'amount_too_small', 'amount_too_large')) throw new UnpayableAmountError()
    const { statusCode = 0, code, param, requestId } = error
    // 409: the same key is being answered at this moment. Without a status, it was no answer.
    const isPassing = statusCode === 0 || statusCode === 409 || statusCode === 429
    if (isPassing || statusCode >= 500 || error instanceof StripeConnectionError) {
      throw providerAway()
    }
    const told = [statusCode, code, param, requestId].filter(Boolean).join(', ')
    const message = `Stripe refused to ${what}: ${told}.`
    // What is wrong with our key is not wrong with what was asked for.
    throw statusCode === 401 || statusCode === 403 ? new Error(message) : new RefusedError(message)
  }
}
