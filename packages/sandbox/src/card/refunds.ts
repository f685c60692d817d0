import type Stripe from 'stripe'
import { randomText } from '../ids.ts'
import * as charges from './charges.ts'
import { CardApiError, invalidParameter, missingParameter, noSuch, noSuchNamed } from './errors.ts'
import type { Parameters } from './parameters.ts'
import type { CardDesk } from './provider.ts'

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const
export const refundStatuses = [
  'pending',
  'requires_action',
  'succeeded',
  'failed',
  'canceled',
] as const
type RefundStatus = (typeof refundStatuses)[number]

/** Refunds in these states return no money. */
const isVoid = (status: string | null): boolean => status === 'failed' || status === 'canceled'

export const find = (desk: CardDesk, id: string): Stripe.Refund => {
  const refund = desk.state.get('refund', id)
  if (!refund) throw noSuch('refund', id)
  return refund
}

export const ofCharge = (desk: CardDesk, charge: string): Stripe.Refund[] =>
  desk.state
    .all('refund')
    .filter((refund) => refund.charge === charge)
    .reverse()

/** Updates the refunded amount of the charge. */
function note(desk: CardDesk, charge: Stripe.Charge): Stripe.Charge {
  const data = ofCharge(desk, charge.id)
  const amount_refunded = data
    .filter(({ status }) => !isVoid(status))
    .reduce((sum, { amount }) => sum + amount, 0)
  const refundedCharge: Stripe.Charge = {
    ...charge,
    amount_refunded,
    refunded: amount_refunded === charge.amount_captured,
    refunds: { object: 'list', data, has_more: false, url: `/v1/charges/${charge.id}/refunds` },
  }
  desk.state.put('charge', refundedCharge)
  return refundedCharge
}

/** The bank withdrew the money, so nothing is left to refund. */
const isTakenBack = (desk: CardDesk, charge: string): boolean =>
  desk.state
    .all('dispute')
    .some(
      (dispute) =>
        dispute.charge === charge && !dispute.is_charge_refundable && dispute.status !== 'won',
    )

function chargeOf(desk: CardDesk, parameters: Parameters): Stripe.Charge {
  const intent = parameters.text('payment_intent')
  const named = parameters.text('charge')
  if (named) {
    const charge = desk.state.get('charge', named)
    if (!charge) throw noSuchNamed('charge', named, 'charge')
    return charge
  }
  if (!intent) throw missingParameter('payment_intent')
  const paymentIntent = desk.state.get('intent', intent)?.intent
  if (!paymentIntent) throw noSuchNamed('payment_intent', intent, 'payment_intent')
  if (typeof paymentIntent.latest_charge !== 'string' || paymentIntent.amount_received === 0) {
    const message = `This PaymentIntent (${intent}) does not have a successful charge to refund.`
    throw new CardApiError(400, message, { param: 'payment_intent' })
  }
  return charges.find(desk, paymentIntent.latest_charge)
}

export function create(desk: CardDesk, parameters: Parameters): Stripe.Refund {
  parameters.takes('amount', 'charge', 'expand', 'metadata', 'payment_intent', 'reason')
  const charge = chargeOf(desk, parameters)
  const rest = charge.amount_captured - charge.amount_refunded
  if (charge.amount_captured === 0) throw invalidParameter('charge', 'Nothing was charged.')
  if (rest === 0) {
    const message = `Charge ${charge.id} has already been refunded.`
    throw new CardApiError(400, message, { code: 'charge_already_refunded' })
  }
  if (isTakenBack(desk, charge.id)) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`
    throw new CardApiError(400, message, { code: 'charge_disputed' })
  }
  const amount = parameters.whole('amount') ?? rest
  if (amount < 1) throw invalidParameter('amount', 'Invalid positive integer')
  if (amount > rest) {
    const [requestedSum, unrefunded] = [amount, rest].map((cents) => `$${(cents / 100).toFixed(2)}`)
    const message = `Refund amount (${requestedSum}) is greater than unrefunded amount on charge (${unrefunded})`
    throw invalidParameter('amount', message)
  }
  const refund: Stripe.Refund = {
    id: `re_${randomText(24)}`,
    object: 'refund',
    amount,
    balance_transaction: `txn_${randomText(24)}`,
    charge: charge.id,
    created: desk.seconds(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    metadata: parameters.metadata() ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: parameters.oneOf('reason', reasons) ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
  desk.state.put('refund', refund)
  desk.emit('refund.created', refund)
  desk.emit('charge.refunded', note(desk, charge))
  return refund
}

/** Later changes by the bank. */
export function change(desk: CardDesk, id: string, status: RefundStatus): Stripe.Refund {
  const { failure_reason: _none, ...refund } = find(desk, id)
  const changedRefund: Stripe.Refund = {
    ...refund,
    status,
    ...(status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {}),
  }
  desk.state.put('refund', changedRefund)
  note(desk, charges.find(desk, String(refund.charge)))
  // Stripe reports every change under both names, and a failure under one more.
  desk.emit('charge.refund.updated', changedRefund)
  desk.emit('refund.updated', changedRefund)
  if (status === 'failed') desk.emit('refund.failed', changedRefund)
  return changedRefund
}
