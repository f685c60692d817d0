import type Stripe from 'stripe'
import { expect, it } from 'vitest'
import { intentState, sessionState } from './card-state.ts'

const paidIntent = (currency: string) =>
  ({
    id: 'pi_1',
    currency,
    amount: 400,
    amount_received: 400,
    status: 'succeeded',
    metadata: { attempt_id: 'a' },
  }) as unknown as Stripe.PaymentIntent
const session = (intent: Stripe.PaymentIntent) =>
  ({
    id: 'cs_1',
    status: 'complete',
    payment_intent: intent,
    metadata: { attempt_id: 'a' },
  }) as unknown as Stripe.Checkout.Session

it('a card payment counts in US dollars only (T90)', () => {
  const payments = [{ reference: 'pi_1', amount_in_cents: 400 }]
  for (const state of [intentState(paidIntent('usd')), sessionState(session(paidIntent('usd')))]) {
    expect(state).toMatchObject({ payments, seen_in_cents: 400 })
  }
  for (const currency of ['eur', 'jpy', 'USD ', '']) {
    for (const state of [
      intentState(paidIntent(currency)),
      sessionState(session(paidIntent(currency))),
    ]) {
      expect(state).toMatchObject({ payments: [], seen_in_cents: 0 })
    }
  }
})
