import type Stripe from 'stripe'
import * as attempts from '../card/attempts.ts'
import * as charges from '../card/charges.ts'
import * as disputes from '../card/disputes.ts'
import { type DisputeOutcome, type DisputeRequest, isOpenDispute } from '../card/disputes.ts'
import { CardApiError } from '../card/errors.ts'
import * as intents from '../card/intents.ts'
import type { StoredIntent, StoredSession } from '../card/objects.ts'
import * as methods from '../card/payment-methods.ts'
import type { CardProvider } from '../card/provider.ts'
import * as sessions from '../card/sessions.ts'
import type { Decline, Outcome, TestCardName } from '../card/test-cards.ts'
import { BuyerError } from './errors.ts'

export type CardChoice = { card: TestCardName; keep_card: boolean; outcome: Outcome }

const payable = ['requires_payment_method', 'requires_confirmation', 'requires_action']

export const findSession = (provider: CardProvider, id: string): StoredSession =>
  asBuyer(() => sessions.find(provider, id))

export const findIntent = (provider: CardProvider, id: string): StoredIntent =>
  asBuyer(() => intents.find(provider, id))

function findOpenSession(provider: CardProvider, id: string): StoredSession {
  const storedSession = findSession(provider, id)
  if (storedSession.session.status === 'open') return storedSession
  throw new BuyerError(409, `This session is ${storedSession.session.status}.`)
}

/** An intent that waits for a card, without a session. */
function findPayableIntent(provider: CardProvider, id: string): StoredIntent {
  const storedIntent = findIntent(provider, id)
  if (!payable.includes(storedIntent.intent.status)) {
    throw new BuyerError(409, `This payment is ${storedIntent.intent.status}.`)
  }
  if (storedIntent.session)
    throw new BuyerError(409, 'This payment belongs to a session. Pay the session.')
  return storedIntent
}

export const paySession = (
  provider: CardProvider,
  id: string,
  { card, keep_card, outcome }: CardChoice,
): Stripe.Checkout.Session =>
  provider.state.change(() => {
    const storedSession = findOpenSession(provider, id)
    const options = storedSession.session.saved_payment_method_options
    const mayKeep = keep_card && options?.payment_method_save === 'enabled'
    const intent = sessions.intentOf(provider, storedSession)
    const keeping = mayKeep ? 'always' : intent.keeping
    attempts.pay(provider, { ...intent, keeping }, methods.create(provider, card), outcome)
    return sessions.follow(provider, id)
  })

export const declineSession = (
  provider: CardProvider,
  id: string,
  decline: Decline,
): Stripe.Checkout.Session =>
  provider.state.change(() => {
    const intent = sessions.intentOf(provider, findOpenSession(provider, id))
    attempts.decline(provider, intent, methods.create(provider, 'visa'), decline)
    return sessions.follow(provider, id)
  })

export const expireSession = (provider: CardProvider, id: string): Stripe.Checkout.Session =>
  provider.state.change(() => {
    findOpenSession(provider, id)
    return sessions.expire(provider, id)
  })

export const payIntent = (
  provider: CardProvider,
  id: string,
  { card, keep_card, outcome }: CardChoice,
): Stripe.PaymentIntent =>
  provider.state.change(() => {
    const storedIntent = findPayableIntent(provider, id)
    const keeping = keep_card ? 'limited' : storedIntent.keeping
    const method = methods.create(provider, card)
    return attempts.pay(provider, { ...storedIntent, keeping }, method, outcome).intent
  })

export const declineIntent = (
  provider: CardProvider,
  id: string,
  decline: Decline,
): Stripe.PaymentIntent =>
  provider.state.change(() => {
    const storedIntent = findPayableIntent(provider, id)
    return attempts.decline(provider, storedIntent, methods.create(provider, 'visa'), decline)
      .intent
  })

/** Settles or fails a processing payment; confirms or rejects the bank's challenge. */
export const decideIntent = (
  provider: CardProvider,
  id: string,
  isGood: boolean,
): Stripe.PaymentIntent =>
  provider.state.change(() => {
    const storedIntent = findIntent(provider, id)
    const { status, payment_method } = storedIntent.intent
    if (status !== 'processing' && status !== 'requires_action') {
      throw new BuyerError(409, `This payment is ${status}, so there is nothing to decide.`)
    }
    const method = methods.find(provider, String(payment_method))
    const decidedIntent = !isGood
      ? attempts.decline(provider, storedIntent, method, 'generic_decline')
      : status === 'processing'
        ? attempts.settle(provider, storedIntent)
        : attempts.pay(provider, storedIntent, method, 'succeeded')
    if (storedIntent.session) sessions.follow(provider, storedIntent.session)
    return decidedIntent.intent
  })

/** The cardholder disputes the payment at their bank. */
export const openDispute = (
  provider: CardProvider,
  id: string,
  { amount, reason = 'fraudulent', inquiry = false }: Partial<DisputeRequest>,
): Stripe.Dispute =>
  provider.state.change(() => {
    const { latest_charge, amount_received } = findIntent(provider, id).intent
    if (amount_received === 0) throw new BuyerError(409, 'This payment was not completed.')
    if (disputes.ofIntent(provider, id).some(isOpenDispute)) {
      throw new BuyerError(409, 'This payment is already disputed.')
    }
    const charge = charges.find(provider, String(latest_charge))
    const refundAmount = amount ?? charge.amount_captured
    if (refundAmount > charge.amount_captured)
      throw new BuyerError(400, 'The amount exceeds the payment.')
    return disputes.open(provider, charge, { amount: refundAmount, reason, inquiry })
  })

/** The bank's action on an open dispute. */
export const continueDispute = (
  provider: CardProvider,
  id: string,
  act: 'review' | 'escalate' | DisputeOutcome,
): Stripe.Dispute =>
  provider.state.change(() => {
    const dispute = asBuyer(() => disputes.find(provider, id))
    if (!isOpenDispute(dispute)) throw new BuyerError(409, `This dispute is ${dispute.status}.`)
    const isInquiry = dispute.status.startsWith('warning_')
    // Only an inquiry is closed without a winner, and only a chargeback is won or lost.
    const isForInquiry = act === 'escalate' || act === 'warning_closed'
    if (act !== 'review' && isForInquiry !== isInquiry) {
      throw new BuyerError(409, `A dispute that is ${dispute.status} can’t end this way.`)
    }
    if (act === 'review') return disputes.review(provider, id)
    return act === 'escalate' ? disputes.escalate(provider, id) : disputes.close(provider, id, act)
  })

function asBuyer<Found>(find: () => Found): Found {
  try {
    return find()
  } catch (error) {
    if (error instanceof CardApiError) throw new BuyerError(404, error.message)
    throw error
  }
}
