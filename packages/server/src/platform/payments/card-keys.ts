import Stripe from 'stripe'

const mostKeys = 20

/** Stripe stores a 500 under its idempotency key, and replays it for up to a day. */
const isReplayedFault = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError &&
  (error.statusCode ?? 0) >= 500 &&
  error.headers?.['idempotent-replayed'] === 'true'

/**
 * Calls Stripe with the first key of a series that has no stored 500. The series is equal in every
 * process and every repeat, so the response of an earlier success is found again.
 */
export async function withUnspentKey<Answer>(
  key: string,
  call: (idempotencyKey: string) => Promise<Answer>,
): Promise<Answer> {
  for (let nth = 1; ; nth += 1) {
    try {
      return await call(nth === 1 ? key : `${key}-${nth}`)
    } catch (error) {
      if (!isReplayedFault(error) || nth === mostKeys) throw error
    }
  }
}
