/** As Stripe and BTCPay count. */
export const daySeconds = 24 * 60 * 60
