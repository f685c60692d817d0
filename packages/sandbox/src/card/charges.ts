import type Stripe from 'stripe'
import { randomText } from '../ids.ts'
import { noSuch } from './errors.ts'
import * as methods from './payment-methods.ts'
import type { CardDesk } from './provider.ts'
import { type Decline, declines } from './test-cards.ts'

/** A successful or failed charge of a card. */

export const find = (desk: CardDesk, id: string): Stripe.Charge => {
  const charge = desk.state.get('charge', id)
  if (!charge) throw noSuch('charge', id)
  return charge
}

export function create(
  desk: CardDesk,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  status: 'succeeded' | 'pending' | 'failed',
  decline?: Decline,
): Stripe.Charge {
  const id = `ch_${randomText(24)}`
  const isCaptured = status !== 'failed' && intent.capture_method !== 'manual'
  const [failure_code, failure_message] = decline ? declines[decline] : [null, null]
  const charge: Stripe.Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: isCaptured && status === 'succeeded' ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: isCaptured ? `txn_${randomText(24)}` : null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured: isCaptured,
    created: desk.seconds(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code,
    failure_message,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid: status !== 'failed',
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(methods.find(desk, method.id), intent.amount),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: status === 'succeeded' ? `${desk.origin()}/pay/intent/${intent.id}` : null,
    refunded: false,
    refunds: { object: 'list', data: [], has_more: false, url: `/v1/charges/${id}/refunds` },
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status,
    transfer_data: null,
    transfer_group: null,
  }
  desk.state.put('charge', charge)
  return charge
}

export function fail(desk: CardDesk, id: string, decline: Decline): Stripe.Charge {
  const [failure_code, failure_message] = declines[decline]
  const failed: Stripe.Charge = {
    ...find(desk, id),
    status: 'failed',
    paid: false,
    captured: false,
    failure_code,
    failure_message,
    outcome: outcomeOf(decline),
  }
  desk.state.put('charge', failed)
  return failed
}

export const ofIntent = (desk: CardDesk, intent: string): Stripe.Charge[] =>
  desk.state
    .all('charge')
    .filter((charge) => charge.payment_intent === intent)
    .reverse()

const outcomeOf = (decline: Decline | undefined): Stripe.Charge.Outcome => ({
  advice_code: decline ? 'try_again_later' : null,
  network_advice_code: null,
  network_decline_code: decline ? '05' : null,
  network_status: decline ? 'declined_by_network' : 'approved_by_network',
  reason: decline ?? null,
  risk_level: 'normal',
  seller_message: decline ? 'The bank returned a decline.' : 'Payment complete.',
  type: decline ? 'issuer_declined' : 'authorized',
})

function detailsOf(
  { card }: Stripe.PaymentMethod,
  amount_authorized: number,
): Stripe.Charge.PaymentMethodDetails {
  if (!card) throw new Error('Only cards can be charged.')
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4 } = card
  return {
    card: {
      brand,
      checks,
      country,
      exp_month,
      exp_year,
      funding,
      last4,
      fingerprint: fingerprint ?? null,
      amount_authorized,
      authorization_code: '123456',
      electronic_commerce_indicator: null,
      extended_authorization: { status: 'disabled' },
      incremental_authorization: { status: 'unavailable' },
      installments: null,
      mandate: null,
      multicapture: { status: 'unavailable' },
      network: brand,
      network_token: { used: false },
      network_transaction_id: null,
      overcapture: { maximum_amount_capturable: amount_authorized, status: 'unavailable' },
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: card.wallet && { dynamic_last4: null, type: card.wallet.type },
    },
    type: 'card',
  }
}
