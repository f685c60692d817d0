import type Stripe from 'stripe'
import { randomText } from '../ids.ts'
import { daySeconds } from '../time.ts'
import * as charges from './charges.ts'
import { noSuch } from './errors.ts'
import type { CardDesk } from './provider.ts'

export const disputeReasons = [
  'fraudulent',
  'duplicate',
  'general',
  'product_not_received',
  'product_unacceptable',
  'unrecognized',
] as const
export const disputeOutcomes = ['won', 'lost', 'warning_closed'] as const
export type DisputeOutcome = (typeof disputeOutcomes)[number]

export type DisputeRequest = {
  amount: number
  reason: (typeof disputeReasons)[number]
  /** An inquiry of the bank, without a withdrawal yet. */
  inquiry: boolean
}

const feeInCents = 1_500
const weekSeconds = 7 * daySeconds

/** True while the bank may still decide. */
export const isOpenDispute = ({ status }: Stripe.Dispute): boolean =>
  /(needs_response|under_review)$/.test(status)

/** Chargebacks and inquiries of cardholders' banks. */

export const find = (desk: CardDesk, id: string): Stripe.Dispute => {
  const dispute = desk.state.get('dispute', id)
  if (!dispute) throw noSuch('dispute', id)
  return dispute
}

export const ofIntent = (desk: CardDesk, intent: string): Stripe.Dispute[] =>
  desk.state
    .all('dispute')
    .filter(({ payment_intent }) => payment_intent === intent)
    .reverse()

/** Money withdrawn by the bank, or returned by it. */
const movement = (
  desk: CardDesk,
  id: string,
  amount: number,
  currency: string,
): Stripe.BalanceTransaction => {
  const isTaken = amount < 0
  const fee = isTaken ? feeInCents : 0
  const description = 'Dispute fee'
  return {
    id: `txn_${randomText(24)}`,
    object: 'balance_transaction',
    amount,
    currency,
    available_on: desk.seconds(),
    balance_type: 'payments',
    created: desk.seconds(),
    description: isTaken ? `Chargeback withdrawal for ${id}` : `Chargeback reversal for ${id}`,
    exchange_rate: null,
    fee,
    net: amount - fee,
    fee_details: isTaken
      ? [{ amount: fee, application: null, currency, description, type: 'stripe_fee' }]
      : [],
    reporting_category: isTaken ? 'dispute' : 'dispute_reversal',
    source: id,
    status: 'available',
    type: 'adjustment',
  }
}

const keep = (desk: CardDesk, dispute: Stripe.Dispute): Stripe.Dispute => {
  desk.state.put('dispute', dispute)
  return dispute
}

const withdraw = (desk: CardDesk, dispute: Stripe.Dispute): Stripe.Dispute => {
  const { id, amount, currency, balance_transactions } = dispute
  return {
    ...dispute,
    balance_transactions: [...balance_transactions, movement(desk, id, -amount, currency)],
    is_charge_refundable: false,
  }
}

export function open(
  desk: CardDesk,
  charge: Stripe.Charge,
  { amount, reason, inquiry }: DisputeRequest,
): Stripe.Dispute {
  const newDispute = disputeOf(charge, { amount, reason, inquiry }, desk.seconds())
  const dispute = keep(desk, inquiry ? newDispute : withdraw(desk, newDispute))
  desk.state.put('charge', { ...charges.find(desk, charge.id), disputed: true })
  desk.emit('charge.dispute.created', dispute)
  if (!inquiry) desk.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** The shop submitted evidence, and the bank reviews it. */
export function review(desk: CardDesk, id: string): Stripe.Dispute {
  const dispute = find(desk, id)
  const isInquiry = dispute.status.startsWith('warning_')
  const reviewedDispute = keep(desk, {
    ...dispute,
    status: isInquiry ? 'warning_under_review' : 'under_review',
    evidence_details: {
      ...dispute.evidence_details,
      has_evidence: true,
      submission_count: 1,
      submission_method: 'manual',
    },
  })
  desk.emit('charge.dispute.updated', reviewedDispute)
  return reviewedDispute
}

/** An inquiry becomes a chargeback, and the money is withdrawn. */
export function escalate(desk: CardDesk, id: string): Stripe.Dispute {
  const escalatedDispute = keep(
    desk,
    withdraw(desk, { ...find(desk, id), status: 'needs_response' }),
  )
  desk.emit('charge.dispute.updated', escalatedDispute)
  desk.emit('charge.dispute.funds_withdrawn', escalatedDispute)
  return escalatedDispute
}

export function close(desk: CardDesk, id: string, outcome: DisputeOutcome): Stripe.Dispute {
  const dispute = find(desk, id)
  const returnedBalanceTransactions =
    outcome === 'won' ? [movement(desk, id, dispute.amount, dispute.currency)] : []
  const closedDispute = keep(desk, {
    ...dispute,
    status: outcome,
    balance_transactions: [...dispute.balance_transactions, ...returnedBalanceTransactions],
  })
  if (returnedBalanceTransactions.length > 0)
    desk.emit('charge.dispute.funds_reinstated', closedDispute)
  desk.emit('charge.dispute.closed', closedDispute)
  return closedDispute
}

const disputeOf = (
  { id: charge, currency, payment_intent, payment_method_details }: Stripe.Charge,
  { amount, reason, inquiry }: DisputeRequest,
  created: number,
): Stripe.Dispute => {
  const brand = payment_method_details?.card?.brand ?? 'visa'
  return {
    id: `du_${randomText(24)}`,
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge,
    created,
    currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: created + weekSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent,
    reason,
    payment_method_details: {
      card: {
        brand,
        case_type: inquiry ? 'inquiry' : 'chargeback',
        network: brand,
        network_reason_code: '83',
      },
      type: 'card',
    },
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  }
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}
