import type Stripe from 'stripe'
import type { Charges } from './charges.ts'
import type { CardDesk } from './desk.ts'
import type { KeptIntent } from './objects.ts'
import type { PaymentMethods } from './payment-methods.ts'
import { type Decline, declines, type Outcome } from './test-cards.ts'

export type Attempts = ReturnType<typeof createAttempts>

/** What happens to an intent when somebody tries to pay it. */
export function createAttempts(desk: CardDesk, methods: PaymentMethods, charges: Charges) {
  const { state, emit } = desk
  const save = (kept: KeptIntent, changed: Partial<Stripe.PaymentIntent>): KeptIntent => {
    const saved = { ...kept, intent: { ...kept.intent, ...changed } }
    state.put('intent', saved)
    return saved
  }
  const keepCard = ({ intent, keeping }: KeptIntent, method: Stripe.PaymentMethod) => {
    if (keeping && typeof intent.customer === 'string') {
      methods.attach(method, intent.customer, keeping)
    }
  }

  /** The money is there, or set aside until it is captured. */
  function succeed(kept: KeptIntent, method: Stripe.PaymentMethod): KeptIntent {
    const charge = charges.create(kept.intent, method, 'succeeded')
    const isManual = kept.intent.capture_method === 'manual'
    const paid = save(kept, {
      latest_charge: charge.id,
      payment_method: method.id,
      last_payment_error: null,
      next_action: null,
      processing: null,
      status: isManual ? 'requires_capture' : 'succeeded',
      amount_received: isManual ? 0 : kept.intent.amount,
      amount_capturable: isManual ? kept.intent.amount : 0,
    })
    emit('charge.succeeded', charge)
    emit(
      isManual ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded',
      paid.intent,
    )
    return paid
  }

  return {
    pay(
      kept: KeptIntent,
      method: Stripe.PaymentMethod,
      outcome: Outcome,
      return_url: string | null = null,
    ): KeptIntent {
      if (outcome === 'requires_action') {
        const asked = save(kept, {
          status: 'requires_action',
          payment_method: method.id,
          last_payment_error: null,
          next_action: {
            type: 'redirect_to_url',
            redirect_to_url: { return_url, url: `${desk.origin()}/pay/intent/${kept.id}` },
          },
        })
        emit('payment_intent.requires_action', asked.intent)
        return asked
      }
      keepCard(kept, method)
      if (outcome === 'succeeded') return succeed(kept, method)
      const charge = charges.create(kept.intent, method, 'pending')
      const waiting = save(kept, {
        latest_charge: charge.id,
        payment_method: method.id,
        next_action: null,
        status: 'processing',
        processing: { type: 'card' },
        last_payment_error: null,
      })
      emit('charge.pending', charge)
      emit('payment_intent.processing', waiting.intent)
      return waiting
    },

    /** Money that was on its way arrives. */
    settle(kept: KeptIntent): KeptIntent {
      const { latest_charge, amount } = kept.intent
      const charge = {
        ...charges.find(String(latest_charge)),
        status: 'succeeded' as const,
        amount_captured: amount,
      }
      state.put('charge', charge)
      const paid = save(kept, { status: 'succeeded', amount_received: amount, processing: null })
      emit('charge.succeeded', charge)
      emit('payment_intent.succeeded', paid.intent)
      return paid
    },

    decline(kept: KeptIntent, method: Stripe.PaymentMethod, decline: Decline): KeptIntent {
      // Money that was on its way has a charge already.
      const charge =
        kept.intent.status === 'processing'
          ? charges.fail(String(kept.intent.latest_charge), decline)
          : charges.create(kept.intent, method, 'failed', decline)
      const [code, message] = declines[decline]
      const declined = save(kept, {
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
      emit('charge.failed', charge)
      emit('payment_intent.payment_failed', declined.intent)
      return declined
    },

    cancel(kept: KeptIntent, cancellation_reason: string | null): KeptIntent {
      const canceled = save(kept, {
        status: 'canceled',
        canceled_at: desk.seconds(),
        cancellation_reason,
        amount_capturable: 0,
        next_action: null,
        processing: null,
      })
      emit('payment_intent.canceled', canceled.intent)
      return canceled
    },

    /** Takes what was set aside, or a part of it. */
    capture(kept: KeptIntent, amount: number): KeptIntent {
      const charge = {
        ...charges.find(String(kept.intent.latest_charge)),
        captured: true,
        amount_captured: amount,
      }
      state.put('charge', charge)
      const captured = save(kept, {
        status: 'succeeded',
        amount_received: amount,
        amount_capturable: 0,
      })
      emit('charge.captured', charge)
      emit('payment_intent.succeeded', captured.intent)
      return captured
    },
  }
}
