import type Stripe from 'stripe'
import { randomText } from '../ids.ts'
import { CardApiError, noSuch } from './errors.ts'
import type { CardDesk } from './provider.ts'
import { type TestCardName, testCards } from './test-cards.ts'

const noAddress: Stripe.Address = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
}

/** Payment methods; those with a customer are saved for the next purchase. */

export const find = (desk: CardDesk, id: string): Stripe.PaymentMethod => {
  const method = desk.state.get('payment_method', id)
  if (!method) throw noSuch('PaymentMethod', id)
  return method
}

export function create(desk: CardDesk, name: TestCardName): Stripe.PaymentMethod {
  const { brand, last4, country, funding, wallet } = testCards[name]
  const method: Stripe.PaymentMethod = {
    id: `pm_${randomText(24)}`,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: noAddress, email: null, name: null, phone: null, tax_id: null },
    card: {
      brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: 'pass',
      },
      country,
      display_brand: brand,
      exp_month: 12,
      exp_year: new Date(desk.seconds() * 1_000).getUTCFullYear() + 3,
      fingerprint: `sandbox${brand}${last4}`.slice(0, 16),
      funding,
      generated_from: null,
      last4,
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: wallet && { dynamic_last4: null, type: wallet, [wallet]: {} },
    },
    created: desk.seconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  desk.state.put('payment_method', method)
  return method
}

/** Newest first. */
export const ofCustomer = (desk: CardDesk, customer: string): Stripe.PaymentMethod[] =>
  desk.state
    .all('payment_method')
    .filter((method) => method.customer === customer)
    .reverse()

export function attach(
  desk: CardDesk,
  method: Stripe.PaymentMethod,
  customer: string,
  allow_redisplay: 'always' | 'limited',
): void {
  if (method.customer === customer) return
  const attachedMethod: Stripe.PaymentMethod = { ...method, customer, allow_redisplay }
  desk.state.put('payment_method', attachedMethod)
  desk.emit('payment_method.attached', attachedMethod)
}

export function detach(desk: CardDesk, id: string): Stripe.PaymentMethod {
  const method = find(desk, id)
  if (!method.customer) {
    throw new CardApiError(
      400,
      'The payment method you provided is not attached to a customer so detachment is impossible.',
      { param: 'payment_method' },
    )
  }
  const detachedMethod: Stripe.PaymentMethod = { ...method, customer: null }
  desk.state.put('payment_method', detachedMethod)
  desk.emit('payment_method.detached', detachedMethod)
  return detachedMethod
}
