import type Stripe from 'stripe'
import type { PaymentState } from './gateway.ts'

const movements: Readonly<Record<string, PaymentState['status']>> = {
  succeeded: 'settled',
  processing: 'processing',
  requires_capture: 'processing',
}

function moneyOf(intent: Stripe.PaymentIntent | undefined) {
  if (intent?.currency !== 'usd') return { payments: [], seen_in_cents: 0 }
  const { id, amount, amount_received, status } = intent
  if (amount_received === 0) {
    return {
      payments: [],
      seen_in_cents: movements[status] === 'processing' ? amount : 0,
      ...(status === 'requires_capture' ? { authorization: id, ...cardOf(intent) } : {}),
    }
  }
  return {
    payments: [{ reference: id, amount_in_cents: amount_received }],
    seen_in_cents: movements[status] === 'processing' ? amount : amount_received,
    ...cardOf(intent),
  }
}

/** Absent if the charge is not expanded, or was no card. */
function cardOf({ latest_charge: charge }: Stripe.PaymentIntent): { card_fingerprint?: string } {
  if (!charge || typeof charge === 'string') return {}
  const fingerprint = charge.payment_method_details?.card?.fingerprint
  return fingerprint ? { card_fingerprint: fingerprint } : {}
}

export function intentState(intent: Stripe.PaymentIntent): PaymentState {
  const { metadata, status } = intent
  return {
    attempt_id: metadata['attempt_id'] ?? null,
    status: movements[status] ?? (status === 'canceled' ? 'ended' : 'open'),
    ...moneyOf(intent),
    ...(status === 'requires_payment_method' && intent.last_payment_error
      ? { is_declined: true }
      : {}),
  }
}

/** A session is paid through an intent, which exists from the first try on. */
export function sessionState({
  metadata,
  status,
  payment_intent,
}: Stripe.Checkout.Session): PaymentState {
  const intent = typeof payment_intent === 'object' && payment_intent ? payment_intent : undefined
  return {
    attempt_id: metadata?.['attempt_id'] ?? null,
    status: movements[intent?.status ?? ''] ?? (status === 'open' ? 'open' : 'ended'),
    ...moneyOf(intent),
  }
}
