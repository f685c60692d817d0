import type Stripe from 'stripe'
import { daySeconds, secondsOf } from '../time.ts'
import { askStripe, declineReasonOf, isCode, isDecline, isGone, isRefusal } from './card-faults.ts'
import { withUnspentKey } from './card-keys.ts'
import { intentState, sessionState } from './card-state.ts'
import {
  type Charge,
  type ChargeRequest,
  type PaymentObject,
  type PaymentRequest,
  type PaymentState,
  RefusedError,
  UnpayableAmountError,
} from './gateway.ts'

/** Stripe's limits for the lifetime of a session; a call may come some minutes late. */
const shortestSessionSeconds = 30 * 60
const longestSessionSeconds = daySeconds - 5 * 60

/** The charge names the card. */
const ofSession = { expand: ['payment_intent.latest_charge'] }
const ofIntent = { expand: ['latest_charge'] }

const isSession = (reference: string): boolean => reference.startsWith('cs_')

/** A Checkout Session for buyers with return pages, else a PaymentIntent. */
export const createPayment = (stripe: Stripe, request: PaymentRequest): Promise<PaymentObject> =>
  askStripe('create', () =>
    withUnspentKey(`attempt-${request.attempt_id}`, (key) =>
      request.urls && !request.wallet_only && !request.payment_method
        ? createSession(stripe, request, key)
        : createIntent(stripe, request, key),
    ),
  )

/** Repeats the call: its idempotency key returns the first response. */
export async function findPayment(
  stripe: Stripe,
  request: PaymentRequest,
): Promise<PaymentObject | undefined> {
  try {
    return await createPayment(stripe, request)
  } catch (error) {
    if (error instanceof RefusedError || error instanceof UnpayableAmountError) return undefined
    throw error
  }
}

async function createSession(
  stripe: Stripe,
  request: PaymentRequest,
  idempotencyKey: string,
): Promise<PaymentObject> {
  const { attempt_id, description, amount_in_cents, customer, urls } = request
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      ...urls,
      client_reference_id: attempt_id,
      metadata: { attempt_id },
      payment_intent_data: { description, metadata: { attempt_id }, ...captureOf(request) },
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: amount_in_cents,
            product_data: { name: description },
          },
        },
      ],
      // Derived from the request alone, so that a repeat has the same bytes.
      expires_at: Math.min(
        secondsOf(request.expires_at) + shortestSessionSeconds,
        secondsOf(request.created_at) + longestSessionSeconds,
      ),
      // Buyers pay the amount of the order, without currency conversion.
      adaptive_pricing: { enabled: false },
      ...(customer
        ? { customer, saved_payment_method_options: { payment_method_save: 'enabled' as const } }
        : {}),
    },
    { idempotencyKey },
  )
  return { reference: session.id, client_secret: '', checkout_url: session.url, methods: [] }
}

async function createIntent(
  stripe: Stripe,
  request: PaymentRequest,
  idempotencyKey: string,
): Promise<PaymentObject> {
  const { attempt_id, description, amount_in_cents, customer, wallet_only } = request
  const { payment_method } = request
  const intent = await stripe.paymentIntents.create(
    {
      amount: amount_in_cents,
      currency: 'usd',
      description,
      metadata: { attempt_id },
      ...captureOf(request),
      ...waysToPay(wallet_only, payment_method),
      ...(customer ? { customer } : {}),
      ...(customer && !payment_method ? { setup_future_usage: 'on_session' as const } : {}),
    },
    { idempotencyKey },
  )
  const client_secret = intent.client_secret ?? ''
  return { reference: intent.id, client_secret, checkout_url: null, methods: [] }
}

const captureOf = ({ is_capture_manual }: PaymentRequest) =>
  is_capture_manual ? { capture_method: 'manual' as const } : {}

/** Device wallets carry cards; a saved card is named. */
function waysToPay(wallet_only: boolean, payment_method: string | undefined) {
  const allowed_payment_method_types = ['card' as const]
  if (payment_method) return { payment_method, allowed_payment_method_types }
  if (wallet_only) return { allowed_payment_method_types }
  return { automatic_payment_methods: { enabled: true } }
}

export const changeAmount = (stripe: Stripe, reference: string, amount: number): Promise<boolean> =>
  askStripe('change', async () => {
    if (isSession(reference)) return false
    try {
      await stripe.paymentIntents.update(reference, { amount })
      return true
    } catch (error) {
      if (isCode(error, 'payment_intent_unexpected_state')) return false
      throw error
    }
  })

export const lookAtPayment = (stripe: Stripe, reference: string): Promise<PaymentState> =>
  askStripe('look', () => readState(stripe, reference))

const readState = async (stripe: Stripe, reference: string): Promise<PaymentState> =>
  isSession(reference)
    ? sessionState(await stripe.checkout.sessions.retrieve(reference, ofSession))
    : intentState(await stripe.paymentIntents.retrieve(reference, ofIntent))

export const cancelPayment = (stripe: Stripe, reference: string): Promise<PaymentState> =>
  askStripe('cancel', async () => {
    try {
      return isSession(reference)
        ? sessionState(await stripe.checkout.sessions.expire(reference, ofSession))
        : intentState(await stripe.paymentIntents.cancel(reference, ofIntent))
    } catch (error) {
      // The payment has ended, or is being paid now: its state tells which.
      if (isRefusal(error)) return readState(stripe, reference)
      throw error
    }
  })

export const captureCard = (stripe: Stripe, intent: string): Promise<void> =>
  askStripe('capture', () => unlessDone(() => stripe.paymentIntents.capture(intent)))

export const releaseCard = (stripe: Stripe, intent: string): Promise<void> =>
  askStripe('release', () => unlessDone(() => stripe.paymentIntents.cancel(intent)))

/** Another process may have captured or released it: the caller looks at the state next. */
async function unlessDone(change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!isCode(error, 'payment_intent_unexpected_state')) throw error
  }
}

/** Confirms the intent with its saved card. */
export const chargeCard = (stripe: Stripe, request: ChargeRequest): Promise<Charge> =>
  askStripe('charge a card', () =>
    withUnspentKey(`charge-${request.attempt_id}`, (key) => confirmIntent(stripe, request, key)),
  )

async function confirmIntent(
  stripe: Stripe,
  { reference, return_url }: ChargeRequest,
  idempotencyKey: string,
): Promise<Charge> {
  const refusal = await stripe.paymentIntents
    .confirm(reference, return_url ? { return_url } : {}, { idempotencyKey })
    .then(() => undefined)
    .catch((error: unknown) => {
      // 402: declined by the bank. 400: already charged or canceled, or the card is gone.
      if (isDecline(error) || isRefusal(error)) return error
      throw error
    })
  // A replayed response shows the earlier state.
  const intent = await stripe.paymentIntents.retrieve(reference, ofIntent)
  const isUnpaid = intentState(intent).status === 'open' && intent.status !== 'requires_action'
  return {
    state: intentState(intent),
    action_url: intent.next_action?.redirect_to_url?.url ?? null,
    declined: isUnpaid ? declineReasonOf(refusal) : null,
  }
}

/** The attempt of a payment, as stored at Stripe. */
export const findAttempt = (stripe: Stripe, payment: string): Promise<string | undefined> =>
  askStripe('look at a payment', async () => {
    try {
      return (await stripe.paymentIntents.retrieve(payment)).metadata['attempt_id']
    } catch (error) {
      if (isGone(error) || isRefusal(error)) return undefined
      throw error
    }
  })
