import type Stripe from 'stripe'
import * as charges from './charges.ts'
import type { CardDesk } from './desk.ts'
import type { KeptIntent } from './objects.ts'
import * as methods from './payment-methods.ts'
import { type Decline, declines, type Outcome } from './test-cards.ts'

/** Payment attempts on an intent. */

const save = (
  desk: CardDesk,
  kept: KeptIntent,
  changed: Partial<Stripe.PaymentIntent>,
): KeptIntent => {
  const saved = { ...kept, intent: { ...kept.intent, ...changed } }
  desk.state.put('intent', saved)
  return saved
}

const keepCard = (
  desk: CardDesk,
  { intent, keeping }: KeptIntent,
  method: Stripe.PaymentMethod,
) => {
  if (keeping && typeof intent.customer === 'string') {
    methods.attach(desk, method, intent.customer, keeping)
  }
}

/** The money is captured, or authorized until it is captured. */
function succeed(desk: CardDesk, kept: KeptIntent, method: Stripe.PaymentMethod): KeptIntent {
  const charge = charges.create(desk, kept.intent, method, 'succeeded')
  const isManual = kept.intent.capture_method === 'manual'
  const paid = save(desk, kept, {
    latest_charge: charge.id,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
    processing: null,
    status: isManual ? 'requires_capture' : 'succeeded',
    amount_received: isManual ? 0 : kept.intent.amount,
    amount_capturable: isManual ? kept.intent.amount : 0,
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
  kept: KeptIntent,
  method: Stripe.PaymentMethod,
  outcome: Outcome,
  return_url: string | null = null,
): KeptIntent {
  if (outcome === 'requires_action') {
    const asked = save(desk, kept, {
      status: 'requires_action',
      payment_method: method.id,
      last_payment_error: null,
      next_action: {
        type: 'redirect_to_url',
        redirect_to_url: { return_url, url: `${desk.origin()}/pay/intent/${kept.id}` },
      },
    })
    desk.emit('payment_intent.requires_action', asked.intent)
    return asked
  }
  keepCard(desk, kept, method)
  if (outcome === 'succeeded') return succeed(desk, kept, method)
  const charge = charges.create(desk, kept.intent, method, 'pending')
  const waiting = save(desk, kept, {
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
export function settle(desk: CardDesk, kept: KeptIntent): KeptIntent {
  const { latest_charge, amount } = kept.intent
  const charge = {
    ...charges.find(desk, String(latest_charge)),
    status: 'succeeded' as const,
    amount_captured: amount,
  }
  desk.state.put('charge', charge)
  const paid = save(desk, kept, { status: 'succeeded', amount_received: amount, processing: null })
  desk.emit('charge.succeeded', charge)
  desk.emit('payment_intent.succeeded', paid.intent)
  return paid
}

export function decline(
  desk: CardDesk,
  kept: KeptIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
): KeptIntent {
  // A processing payment has a charge already.
  const charge =
    kept.intent.status === 'processing'
      ? charges.fail(desk, String(kept.intent.latest_charge), decline)
      : charges.create(desk, kept.intent, method, 'failed', decline)
  const [code, message] = declines[decline]
  const declined = save(desk, kept, {
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
  kept: KeptIntent,
  cancellation_reason: string | null,
): KeptIntent {
  const canceled = save(desk, kept, {
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
export function capture(desk: CardDesk, kept: KeptIntent, amount: number): KeptIntent {
  const charge = {
    ...charges.find(desk, String(kept.intent.latest_charge)),
    captured: true,
    amount_captured: amount,
  }
  desk.state.put('charge', charge)
  const captured = save(desk, kept, {
    status: 'succeeded',
    amount_received: amount,
    amount_capturable: 0,
  })
  desk.emit('charge.captured', charge)
  desk.emit('payment_intent.succeeded', captured.intent)
  return captured
}
