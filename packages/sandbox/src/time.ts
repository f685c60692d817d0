/** Stripe and BTCPay count in seconds. */
export const daySeconds = 24 * 60 * 60
