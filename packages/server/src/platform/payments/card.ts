import Stripe from 'stripe'
import { daySeconds } from '../time.ts'
import { disputeState } from './card-disputes.ts'
import { cardEvent } from './card-events.ts'
import { askStripe, declineReasonOf, isCode, isDecline, isGone, isRefusal } from './card-faults.ts'
import { withUnspentKey } from './card-keys.ts'
import { intentState, sessionState } from './card-state.ts'
import {
  type CardGateway,
  type Charge,
  type ChargeRequest,
  type PaymentObject,
  type PaymentRequest,
  type PaymentState,
  type Refund,
  type RefundRequest,
  RefusedError,
  type SavedCard,
  UnpayableAmountError,
} from './gateway.ts'

type Options = {
  secretKey: string
  webhookSecret: string
  /** Where Stripe's API is, if not at Stripe. */
  apiUrl?: string | undefined
  now?: () => Date
  /** Multiplies the time limit of calls. */
  patience?: number | undefined
}

// Shorter than a request may take; jobs try again.
const limitMs = 4_000
const maxNetworkRetries = 1
/** The newest ones; far more than a shop has in the time that is looked back. */
const disputesAtOnce = 2_000
/** Stripe takes no shorter life of a session, and no longer one; a call may come some minutes late. */
const shortestSessionSeconds = 30 * 60
const longestSessionSeconds = daySeconds - 5 * 60

/** Cards through Stripe: a Checkout Session for who has pages to return to, else a PaymentIntent. */
export function createCardGateway(options: Options): CardGateway {
  const { secretKey, webhookSecret, apiUrl, now = () => new Date(), patience = 1 } = options
  const stripe = new Stripe(secretKey, {
    timeout: limitMs * patience,
    maxNetworkRetries,
    telemetry: false,
    ...(apiUrl ? addressOf(apiUrl) : {}),
  })
  const expand = ['payment_intent']

  async function createSession(
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
        payment_intent_data: { description, metadata: { attempt_id } },
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
        // Of the request alone, so that a repeated one is the same to the last byte.
        expires_at: Math.min(
          secondsOf(request.expires_at) + shortestSessionSeconds,
          secondsOf(request.created_at) + longestSessionSeconds,
        ),
        // Buyers pay what the order says, not what it would be in their currency.
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
        ...waysToPay(wallet_only, payment_method),
        ...(customer ? { customer } : {}),
        ...(customer && !payment_method ? { setup_future_usage: 'on_session' as const } : {}),
      },
      { idempotencyKey },
    )
    const client_secret = intent.client_secret ?? ''
    return { reference: intent.id, client_secret, checkout_url: null, methods: [] }
  }

  const look = async (reference: string): Promise<PaymentState> =>
    isSession(reference)
      ? sessionState(await stripe.checkout.sessions.retrieve(reference, { expand }))
      : intentState(await stripe.paymentIntents.retrieve(reference))

  async function cancel(reference: string): Promise<PaymentState> {
    try {
      return isSession(reference)
        ? sessionState(await stripe.checkout.sessions.expire(reference, { expand }))
        : intentState(await stripe.paymentIntents.cancel(reference))
    } catch (error) {
      // It is over already, or being paid at this moment: it tells by itself.
      if (isRefusal(error)) return look(reference)
      throw error
    }
  }

  /** Stripe forgets idempotency keys after some days; what stands on a refund it never does. */
  async function findRefund(payment: string, key: string): Promise<Stripe.Refund | undefined> {
    const { data } = await stripe.refunds.list({ payment_intent: payment, limit: 100 })
    return data.find(({ metadata }) => metadata?.['key'] === key)
  }

  async function refund(request: RefundRequest, idempotencyKey: string): Promise<Refund> {
    const { reference, payment, amount_in_cents: amount, key } = request
    const made =
      (await findRefund(payment, key)) ??
      (await stripe.refunds.create(
        { payment_intent: payment, amount, metadata: { key, reference } },
        // A 500 may come after the refund was made: only a later list tells, not a retry at once.
        { idempotencyKey, maxNetworkRetries: 0 },
      ))
    return { reference: made.id, claim_url: null, has_failed: isVoid(made) }
  }

  async function charge(
    { reference, return_url }: ChargeRequest,
    idempotencyKey: string,
  ): Promise<Charge> {
    const refusal = await stripe.paymentIntents
      .confirm(reference, return_url ? { return_url } : {}, { idempotencyKey })
      .then(() => undefined)
      .catch((error: unknown) => {
        // 402: the bank said no. 400: it is charged or cancelled already, or the card is gone.
        if (isDecline(error) || isRefusal(error)) return error
        throw error
      })
    // The answer to a repeated key tells how it was then.
    const intent = await stripe.paymentIntents.retrieve(reference)
    const isUnpaid = intentState(intent).status === 'open' && intent.status !== 'requires_action'
    return {
      state: intentState(intent),
      action_url: intent.next_action?.redirect_to_url?.url ?? null,
      declined: isUnpaid ? declineReasonOf(refusal) : null,
    }
  }

  const findCard = async (customer: string, id: string) => {
    if (!/^\w{1,255}$/.test(id)) return undefined
    try {
      return savedCard(await stripe.customers.retrievePaymentMethod(customer, id))
    } catch (error) {
      // Another's, or none at all.
      if (isGone(error) || isRefusal(error)) return undefined
      throw error
    }
  }

  const create = (request: PaymentRequest): Promise<PaymentObject> =>
    askStripe('create', () =>
      withUnspentKey(`attempt-${request.attempt_id}`, (key) =>
        request.urls && !request.wallet_only && !request.payment_method
          ? createSession(request, key)
          : createIntent(request, key),
      ),
    )

  return {
    create,

    // The key of the first call gets its answer once more.
    find: (request) =>
      create(request).catch((error) => {
        if (error instanceof RefusedError || error instanceof UnpayableAmountError) return undefined
        throw error
      }),

    changeAmount: (reference, amount) =>
      askStripe('change', async () => {
        if (isSession(reference)) return false
        try {
          await stripe.paymentIntents.update(reference, { amount })
          return true
        } catch (error) {
          if (isCode(error, 'payment_intent_unexpected_state')) return false
          throw error
        }
      }),

    look: (reference) => askStripe('look', () => look(reference)),

    cancel: (reference) => askStripe('cancel', () => cancel(reference)),

    refund: (request) =>
      askStripe('refund', () =>
        withUnspentKey(`refund-${request.key}`, (key) => refund(request, key)),
      ),

    findRefund: ({ payment, key }) =>
      askStripe('find a refund', async () => {
        const made = await findRefund(payment, key)
        if (!made) return undefined
        const has_failed = isVoid(made)
        return { reference: made.id, claim_url: null, has_failed, is_taken: !has_failed }
      }),

    hasFailed: (reference) =>
      askStripe('look at a refund', async () => {
        try {
          return isVoid(await stripe.refunds.retrieve(reference))
        } catch (error) {
          // A person gave the money back, and it is the name of something else.
          if (isGone(error) || isRefusal(error)) return false
          throw error
        }
      }),

    disputesOf: (payment_intent) =>
      askStripe('list disputes', async () => {
        const { data } = await stripe.disputes.list({ payment_intent, limit: 100 })
        return data.map(disputeState)
      }),

    findDisputes: (since) =>
      askStripe('list disputes', async () => {
        const created = { gte: secondsOf(since) }
        const pages = stripe.disputes.list({ created, limit: 100 })
        const found = await pages.autoPagingToArray({ limit: disputesAtOnce })
        return found.flatMap(({ id, payment_intent: intent }) => {
          const payment = typeof intent === 'string' ? intent : intent?.id
          return payment === undefined ? [] : [{ payment, reference: id }]
        })
      }),

    attemptOf: (payment) =>
      askStripe('look at a payment', async () => {
        try {
          return (await stripe.paymentIntents.retrieve(payment)).metadata['attempt_id']
        } catch (error) {
          if (isGone(error) || isRefusal(error)) return undefined
          throw error
        }
      }),

    readEvent: (body, headers) =>
      cardEvent(body, headers['stripe-signature'], webhookSecret, now().getTime()),

    createCustomer: (user_id) =>
      askStripe('create a customer', async () => {
        const customer = await withUnspentKey(`customer-${user_id}`, (idempotencyKey) =>
          stripe.customers.create({ metadata: { user_id } }, { idempotencyKey }),
        )
        return customer.id
      }),

    savedCards: (customer) =>
      askStripe('list cards', async () => {
        const { data } = await stripe.customers.listPaymentMethods(customer, { limit: 100 })
        return data.map(savedCard)
      }),

    findCard: (customer, id) => askStripe('find a card', () => findCard(customer, id)),

    forgetCard: (customer, id) =>
      askStripe('forget a card', async () => {
        if (!(await findCard(customer, id))) return undefined
        try {
          return savedCard(await stripe.paymentMethods.detach(id))
        } catch (error) {
          // Forgotten at this moment by another request.
          if (isGone(error) || isRefusal(error)) return undefined
          throw error
        }
      }),

    charge: (request) =>
      askStripe('charge a card', () =>
        withUnspentKey(`charge-${request.attempt_id}`, (key) => charge(request, key)),
      ),
  }
}

/** The bank did not take it, and the money is with us again. */
const isVoid = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'

/** A saved card is named, and wallets of devices carry cards. */
function waysToPay(wallet_only: boolean, payment_method: string | undefined) {
  const allowed_payment_method_types = ['card' as const]
  if (payment_method) return { payment_method, allowed_payment_method_types }
  if (wallet_only) return { allowed_payment_method_types }
  return { automatic_payment_methods: { enabled: true } }
}

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1_000)

const isSession = (reference: string): boolean => reference.startsWith('cs_')

function addressOf(apiUrl: string) {
  const { protocol, hostname, port } = new URL(apiUrl)
  const isHttp = protocol === 'http:'
  const given = port || (isHttp ? '80' : '443')
  return { host: hostname, port: given, protocol: isHttp ? ('http' as const) : ('https' as const) }
}

const savedCard = ({ id, type, card }: Stripe.PaymentMethod): SavedCard => ({
  id,
  payment_type: type,
  brand: card?.brand ?? null,
  country: card?.country ?? null,
  last4: card?.last4 ?? null,
  exp_month: card?.exp_month ?? null,
  exp_year: card?.exp_year ?? null,
})
