import { createHmac } from 'node:crypto'

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex')

/** Stripe's `Stripe-Signature`: it contains the time, so that expired ones can be rejected. */
export const cardSignature = (secret: string, seconds: number, body: string): string =>
  `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}`

/** BTCPay's `BTCPay-Sig`. */
export const cryptoSignature = (secret: string, body: string): string =>
  `sha256=${hmac(secret, body)}`
