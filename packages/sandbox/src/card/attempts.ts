import type Stripe from 'stripe'
import * as charges from './charges.ts'
import type { StoredIntent } from './objects.ts'
import * as methods from './payment-methods.ts'
import type { CardDesk } from './provider.ts'
import { type Decline, declines, type Outcome } from './test-cards.ts'

/** Payment attempts on an intent. */

const save = (
  desk: CardDesk,
  storedIntent: StoredIntent,
  changed: Partial<Stripe.PaymentIntent>,
): StoredIntent => {
  const saved = { ...storedIntent, intent: { ...storedIntent.intent, ...changed } }
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
function succeed(
  desk: CardDesk,
  storedIntent: StoredIntent,
  method: Stripe.PaymentMethod,
): StoredIntent {
  const charge = charges.create(desk, storedIntent.intent, method, 'succeeded')
  const isManual = storedIntent.intent.capture_method === 'manual'
  const paidIntent = save(desk, storedIntent, {
    latest_charge: charge.id,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
    processing: null,
    status: isManual ? 'requires_capture' : 'succeeded',
    amount_received: isManual ? 0 : storedIntent.intent.amount,
    amount_capturable: isManual ? storedIntent.intent.amount : 0,
  })
  desk.emit('charge.succeeded', charge)
  desk.emit(
    isManual ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded',
    paidIntent.intent,
  )
  return paidIntent
}

export function pay(
  desk: CardDesk,
  storedIntent: StoredIntent,
  method: Stripe.PaymentMethod,
  outcome: Outcome,
  return_url: string | null = null,
): StoredIntent {
  if (outcome === 'requires_action') {
    const challengedIntent = save(desk, storedIntent, {
      status: 'requires_action',
      payment_method: method.id,
      last_payment_error: null,
      next_action: {
        type: 'redirect_to_url',
        redirect_to_url: { return_url, url: `${desk.origin()}/pay/intent/${storedIntent.id}` },
      },
    })
    desk.emit('payment_intent.requires_action', challengedIntent.intent)
    return challengedIntent
  }
  keepCard(desk, storedIntent, method)
  if (outcome === 'succeeded') return succeed(desk, storedIntent, method)
  const charge = charges.create(desk, storedIntent.intent, method, 'pending')
  const waitingIntent = save(desk, storedIntent, {
    latest_charge: charge.id,
    payment_method: method.id,
    next_action: null,
    status: 'processing',
    processing: { type: 'card' },
    last_payment_error: null,
  })
  desk.emit('charge.pending', charge)
  desk.emit('payment_intent.processing', waitingIntent.intent)
  return waitingIntent
}

/** Settles a processing payment. */
export function settle(desk: CardDesk, storedIntent: StoredIntent): StoredIntent {
  const { latest_charge, amount } = storedIntent.intent
  const charge = {
    ...charges.find(desk, String(latest_charge)),
    status: 'succeeded' as const,
    amount_captured: amount,
  }
  desk.state.put('charge', charge)
  const paidIntent = save(desk, storedIntent, {
    status: 'succeeded',
    amount_received: amount,
    processing: null,
  })
  desk.emit('charge.succeeded', charge)
  desk.emit('payment_intent.succeeded', paidIntent.intent)
  return paidIntent
}

export function decline(
  desk: CardDesk,
  storedIntent: StoredIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
): StoredIntent {
  // A processing payment has a charge already.
  const charge =
    storedIntent.intent.status === 'processing'
      ? charges.fail(desk, String(storedIntent.intent.latest_charge), decline)
      : charges.create(desk, storedIntent.intent, method, 'failed', decline)
  const [code, message] = declines[decline]
  const declinedIntent = save(desk, storedIntent, {
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
  desk.emit('payment_intent.payment_failed', declinedIntent.intent)
  return declinedIntent
}

export function cancel(
  desk: CardDesk,
  storedIntent: StoredIntent,
  cancellation_reason: string | null,
): StoredIntent {
  const canceledIntent = save(desk, storedIntent, {
    status: 'canceled',
    canceled_at: desk.seconds(),
    cancellation_reason,
    amount_capturable: 0,
    next_action: null,
    processing: null,
  })
  desk.emit('payment_intent.canceled', canceledIntent.intent)
  return canceledIntent
}

/** Captures the authorized amount, or a part of it. */
export function capture(desk: CardDesk, storedIntent: StoredIntent, amount: number): StoredIntent {
  const charge = {
    ...charges.find(desk, String(storedIntent.intent.latest_charge)),
    captured: true,
    amount_captured: amount,
  }
  desk.state.put('charge', charge)
  const capturedIntent = save(desk, storedIntent, {
    status: 'succeeded',
    amount_received: amount,
    amount_capturable: 0,
  })
  desk.emit('charge.captured', charge)
  desk.emit('payment_intent.succeeded', capturedIntent.intent)
  return capturedIntent
}
