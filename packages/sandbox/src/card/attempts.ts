import type Stripe from 'stripe'
import * as charges from './charges.ts'
import type { CardDesk } from './desk.ts'
import type { StoredIntent } from './objects.ts'
import * as methods from './payment-methods.ts'
import { type Decline, declines, type Outcome } from './test-cards.ts'

/** Payment attempts on an intent. */

const save = (
  desk: CardDesk,
  stored: StoredIntent,
  changed: Partial<Stripe.PaymentIntent>,
): StoredIntent => {
  const saved = { ...stored, intent: { ...stored.intent, ...changed } }
  desk.state.put('intent', saved)
  return saved
}

const keepCard = (
  desk: CardDesk,
  { intent, keeping }: StoredIntent,
  method: Stripe.PaymentMethod,
) => {
  if (keeping && typeof intent.customer === 'string') {
    methods.attach(desk, method, intent.customer, keeping)
  }
}

/** The money is captured, or authorized until it is captured. */
function succeed(desk: CardDesk, stored: StoredIntent, method: Stripe.PaymentMethod): StoredIntent {
  const charge = charges.create(desk, stored.intent, method, 'succeeded')
  const isManual = stored.intent.capture_method === 'manual'
  const paid = save(desk, stored, {
    latest_charge: charge.id,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
    processing: null,
    status: isManual ? 'requires_capture' : 'succeeded',
    amount_received: isManual ? 0 : stored.intent.amount,
    amount_capturable: isManual ? stored.intent.amount : 0,
  })
  desk.emit('charge.succeeded', charge)
  desk.emit(
    isManual ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded',
    paid.intent,
  )
  return paid
}

export function pay(
  desk: CardDesk,
  stored: StoredIntent,
  method: Stripe.PaymentMethod,
  outcome: Outcome,
  return_url: string | null = null,
): StoredIntent {
  if (outcome === 'requires_action') {
    const challengedIntent = save(desk, stored, {
      status: 'requires_action',
      payment_method: method.id,
      last_payment_error: null,
      next_action: {
        type: 'redirect_to_url',
        redirect_to_url: { return_url, url: `${desk.origin()}/pay/intent/${stored.id}` },
      },
    })
    desk.emit('payment_intent.requires_action', challengedIntent.intent)
    return challengedIntent
  }
  keepCard(desk, stored, method)
  if (outcome === 'succeeded') return succeed(desk, stored, method)
  const charge = charges.create(desk, stored.intent, method, 'pending')
  const waiting = save(desk, stored, {
    latest_charge: charge.id,
    payment_method: method.id,
    next_action: null,
    status: 'processing',
    processing: { type: 'card' },
    last_payment_error: null,
  })
  desk.emit('charge.pending', charge)
  desk.emit('payment_intent.processing', waiting.intent)
  return waiting
}

/** Settles a processing payment. */
export function settle(desk: CardDesk, stored: StoredIntent): StoredIntent {
  const { latest_charge, amount } = stored.intent
  const charge = {
    ...charges.find(desk, String(latest_charge)),
    status: 'succeeded' as const,
    amount_captured: amount,
  }
  desk.state.put('charge', charge)
  const paid = save(desk, stored, {
    status: 'succeeded',
    amount_received: amount,
    processing: null,
  })
  desk.emit('charge.succeeded', charge)
  desk.emit('payment_intent.succeeded', paid.intent)
  return paid
}

export function decline(
  desk: CardDesk,
  stored: StoredIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
): StoredIntent {
  // A processing payment has a charge already.
  const charge =
    stored.intent.status === 'processing'
      ? charges.fail(desk, String(stored.intent.latest_charge), decline)
      : charges.create(desk, stored.intent, method, 'failed', decline)
  const [code, message] = declines[decline]
  const declined = save(desk, stored, {
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: charge.id,
    next_action: null,
    processing: null,
    last_payment_error: {
      type: 'card_error',
      code,
      message,
      decline_code: decline,
      charge: charge.id,
      doc_url: `https://docs.stripe.com/error-codes#${code.replaceAll('_', '-')}`,
      payment_method: method,
    },
  })
  desk.emit('charge.failed', charge)
  desk.emit('payment_intent.payment_failed', declined.intent)
  return declined
}

export function cancel(
  desk: CardDesk,
  stored: StoredIntent,
  cancellation_reason: string | null,
): StoredIntent {
  const canceled = save(desk, stored, {
    status: 'canceled',
    canceled_at: desk.seconds(),
    cancellation_reason,
    amount_capturable: 0,
    next_action: null,
    processing: null,
  })
  desk.emit('payment_intent.canceled', canceled.intent)
  return canceled
}

/** Captures the authorized amount, or a part of it. */
export function capture(desk: CardDesk, stored: StoredIntent, amount: number): StoredIntent {
  const charge = {
    ...charges.find(desk, String(stored.intent.latest_charge)),
    captured: true,
    amount_captured: amount,
  }
  desk.state.put('charge', charge)
  const captured = save(desk, stored, {
    status: 'succeeded',
    amount_received: amount,
    amount_capturable: 0,
  })
  desk.emit('charge.captured', charge)
  desk.emit('payment_intent.succeeded', captured.intent)
  return captured
}
