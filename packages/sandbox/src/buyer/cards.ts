import type Stripe from 'stripe'
import { CardApiError } from '../card/errors.ts'
import type { KeptIntent } from '../card/intents.ts'
import type { CardProvider } from '../card/provider.ts'
import type { KeptSession } from '../card/sessions.ts'
import type { Decline, Outcome, TestCardName } from '../card/test-cards.ts'
import { BuyerError } from './errors.ts'

export type CardChoice = { card: TestCardName; keep_card: boolean; outcome: Outcome }

export type CardBuyer = {
  session(id: string): KeptSession
  intent(id: string): KeptIntent
  paySession(id: string, choice: CardChoice): Stripe.Checkout.Session
  declineSession(id: string, decline: Decline): Stripe.Checkout.Session
  payIntent(id: string, choice: CardChoice): Stripe.PaymentIntent
  declineIntent(id: string, decline: Decline): Stripe.PaymentIntent
  /** Money on its way arrives, or does not; a bank's question is answered with yes, or no. */
  decide(id: string, isGood: boolean): Stripe.PaymentIntent
  expireSession(id: string): Stripe.Checkout.Session
}

const payable = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** What somebody with a card does. */
export function createCardBuyer(provider: CardProvider): CardBuyer {
  const { state, sessions, intents, methods, attempts } = provider
  const session = (id: string) => asBuyer(() => sessions.find(id))
  const intent = (id: string) => asBuyer(() => intents.find(id))

  function openSession(id: string): KeptSession {
    const kept = session(id)
    if (kept.session.status === 'open') return kept
    throw new BuyerError(409, `This session is ${kept.session.status}.`)
  }
  function payableIntent(id: string): KeptIntent {
    const kept = intent(id)
    if (payable.includes(kept.intent.status)) return kept
    throw new BuyerError(409, `This payment is ${kept.intent.status}.`)
  }

  return {
    session,
    intent,

    paySession: (id, { card, keep_card, outcome }) =>
      state.change(() => {
        const kept = openSession(id)
        const options = kept.session.saved_payment_method_options
        const mayKeep = keep_card && options?.payment_method_save === 'enabled'
        const intent = sessions.intentOf(kept)
        const keeping = mayKeep ? 'always' : intent.keeping
        attempts.pay({ ...intent, keeping }, methods.create(card), outcome)
        return sessions.follow(id)
      }),

    declineSession: (id, decline) =>
      state.change(() => {
        attempts.decline(sessions.intentOf(openSession(id)), methods.create('visa'), decline)
        return sessions.follow(id)
      }),

    payIntent: (id, { card, keep_card, outcome }) =>
      state.change(() => {
        const kept = payableIntent(id)
        if (kept.session) throw new BuyerError(409, 'This payment belongs to a session: pay that.')
        const keeping = keep_card ? 'limited' : kept.keeping
        return attempts.pay({ ...kept, keeping }, methods.create(card), outcome).intent
      }),

    declineIntent: (id, decline) =>
      state.change(() => {
        const kept = payableIntent(id)
        if (kept.session) throw new BuyerError(409, 'This payment belongs to a session: pay that.')
        return attempts.decline(kept, methods.create('visa'), decline).intent
      }),

    decide: (id, isGood) =>
      state.change(() => {
        const kept = intent(id)
        const { status, payment_method } = kept.intent
        if (status !== 'processing' && status !== 'requires_action') {
          throw new BuyerError(409, `This payment is ${status}: nothing waits.`)
        }
        const method = methods.find(String(payment_method))
        const decided = !isGood
          ? attempts.decline(kept, method, 'generic_decline')
          : status === 'processing'
            ? attempts.settle(kept)
            : attempts.pay(kept, method, 'succeeded')
        if (kept.session) sessions.follow(kept.session)
        return decided.intent
      }),

    expireSession: (id) =>
      state.change(() => {
        openSession(id)
        return sessions.expire(id)
      }),
  }
}

function asBuyer<Found>(find: () => Found): Found {
  try {
    return find()
  } catch (error) {
    if (error instanceof CardApiError) throw new BuyerError(404, error.message)
    throw error
  }
}
