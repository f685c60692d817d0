import type Stripe from 'stripe'
import { type DisputeOutcome, type DisputeRequest, isOpenDispute } from '../card/disputes.ts'
import { CardApiError } from '../card/errors.ts'
import type { KeptIntent, KeptSession } from '../card/objects.ts'
import type { CardProvider } from '../card/provider.ts'
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
  /** The cardholder tells their bank that the payment was not right. */
  dispute(intent: string, choice: Partial<DisputeRequest>): Stripe.Dispute
  disputesOf(intent: string): Stripe.Dispute[]
  /** What the bank does with an open dispute. */
  continueDispute(id: string, act: 'review' | 'escalate' | DisputeOutcome): Stripe.Dispute
}

const payable = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** What somebody with a card does. */
export function createCardBuyer(provider: CardProvider): CardBuyer {
  const { state, sessions, intents, methods, attempts, charges, disputes } = provider
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

    dispute: (id, { amount, reason = 'fraudulent', inquiry = false }) =>
      state.change(() => {
        const { latest_charge, amount_received } = intent(id).intent
        if (amount_received === 0) throw new BuyerError(409, 'This payment was not made.')
        if (disputes.ofIntent(id).some(isOpenDispute)) {
          throw new BuyerError(409, 'This payment is disputed already.')
        }
        const charge = charges.find(String(latest_charge))
        const wanted = amount ?? charge.amount_captured
        if (wanted > charge.amount_captured) throw new BuyerError(400, 'It was not that much.')
        return disputes.open(charge, { amount: wanted, reason, inquiry })
      }),

    disputesOf: (id) => disputes.ofIntent(id),

    continueDispute: (id, act) =>
      state.change(() => {
        const dispute = asBuyer(() => disputes.find(id))
        if (!isOpenDispute(dispute)) throw new BuyerError(409, `This dispute is ${dispute.status}.`)
        const isInquiry = dispute.status.startsWith('warning_')
        // Only a question is closed without a winner, and only a claim is won or lost.
        const isForInquiry = act === 'escalate' || act === 'warning_closed'
        if (act !== 'review' && isForInquiry !== isInquiry) {
          throw new BuyerError(409, `A dispute that is ${dispute.status} does not end so.`)
        }
        if (act === 'review') return disputes.review(id)
        return act === 'escalate' ? disputes.escalate(id) : disputes.close(id, act)
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
