import type Stripe from 'stripe'
import { randomText } from '../ids.ts'
import * as attempts from './attempts.ts'
import { CardApiError, invalidParameter, noSuch, noSuchNamed, wrongState } from './errors.ts'
import { blankIntent, captureMethods, createParameters, futureUsages } from './intent-object.ts'
import type { StoredIntent } from './objects.ts'
import { type Parameters, payableAmount } from './parameters.ts'
import * as methods from './payment-methods.ts'
import type { CardDesk } from './provider.ts'
import { chargedLater, tokens } from './test-cards.ts'

/** A declined card changes the intent too: its error is returned, not thrown. */
type Outcome = Stripe.PaymentIntent | CardApiError

type Request = Partial<Stripe.PaymentIntent> & { amount: number; currency: string }

const changeable = ['requires_payment_method', 'requires_confirmation', 'requires_action']
const cancelable = [...changeable, 'requires_capture']

/** A method that was detached, or used without a customer, cannot be used again. */
function assertUsable(method: Stripe.PaymentMethod, customer: unknown): void {
  if (method.customer === null) {
    const message =
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, or was detached from a Customer. It may not be used again.'
    throw invalidParameter('payment_method', message)
  }
  if (method.customer !== customer) throw noSuchNamed('PaymentMethod', method.id, 'payment_method')
}

export const find = (desk: CardDesk, id: string): StoredIntent => {
  const storedIntent = desk.state.get('intent', id)
  if (!storedIntent) throw noSuch('payment_intent', id, 'intent')
  return storedIntent
}

export const make = (desk: CardDesk, request: Request, session: string | null): StoredIntent => {
  const id = `pi_${randomText(24)}`
  const keeping = request.setup_future_usage ? 'limited' : null
  const intent = { ...blankIntent(id, desk.seconds()), ...request }
  const storedIntent: StoredIntent = { id, session, keeping, intent }
  desk.state.put('intent', storedIntent)
  desk.emit('payment_intent.created', storedIntent.intent)
  return storedIntent
}

function confirmBy(
  desk: CardDesk,
  storedIntent: StoredIntent,
  named: string | undefined,
  return_url: string | null,
): Outcome {
  const { intent } = storedIntent
  if (!changeable.includes(intent.status)) {
    throw wrongState(
      `This PaymentIntent's status is ${intent.status}: it cannot be confirmed.`,
      intent,
    )
  }
  const methodId = named ?? (intent.payment_method as string | null)
  if (!methodId) {
    throw wrongState('You cannot confirm this PaymentIntent: it is missing a payment method.')
  }
  const token = tokens[methodId]
  const method = token ? methods.create(desk, token.card) : methods.find(desk, methodId)
  if (!token) assertUsable(method, intent.customer)
  const result = token ?? chargedLater(method.card?.last4)
  if ('decline' in result) {
    const declinedIntent = attempts.decline(desk, storedIntent, method, result.decline).intent
    const { code = '', message = '', charge = '' } = declinedIntent.last_payment_error ?? {}
    return new CardApiError(402, message, {
      type: 'card_error',
      code,
      charge,
      decline_code: result.decline,
      payment_intent: declinedIntent,
      payment_method: method,
    })
  }
  return attempts.pay(desk, storedIntent, method, result.outcome, return_url).intent
}

export function create(desk: CardDesk, parameters: Parameters): Outcome {
  parameters.takes(...createParameters)
  const currency = parameters.currency('currency')
  parameters.needed('amount')
  const amount = payableAmount(parameters.whole('amount') ?? 0, currency, 'amount')
  const customer = parameters.text('customer') ?? null
  if (customer && !desk.state.get('customer', customer)) {
    throw noSuchNamed('customer', customer, 'customer')
  }
  const allowed = parameters.texts('allowed_payment_method_types') ?? null
  if (allowed && !allowed.includes('card')) {
    throw invalidParameter('allowed_payment_method_types', 'No payment method type is left.')
  }
  const payment_method = parameters.text('payment_method') ?? null
  if (payment_method && !tokens[payment_method]) {
    const knownMethod = desk.state.get('payment_method', payment_method)
    if (!knownMethod) throw noSuchNamed('PaymentMethod', payment_method, 'payment_method')
    assertUsable(knownMethod, customer)
  }
  const storedIntent = make(
    desk,
    {
      amount,
      currency,
      customer,
      payment_method,
      allowed_payment_method_types: allowed,
      automatic_payment_methods: { allow_redirects: 'always', enabled: true },
      capture_method: parameters.oneOf('capture_method', captureMethods) ?? 'automatic',
      description: parameters.textOrNull('description'),
      metadata: parameters.metadata() ?? {},
      receipt_email: parameters.textOrNull('receipt_email'),
      setup_future_usage: parameters.oneOf('setup_future_usage', futureUsages) ?? null,
      statement_descriptor: parameters.textOrNull('statement_descriptor'),
      statement_descriptor_suffix: parameters.textOrNull('statement_descriptor_suffix'),
      status: payment_method ? 'requires_confirmation' : 'requires_payment_method',
    },
    null,
  )
  const return_url = parameters.textOrNull('return_url')
  return parameters.flag('confirm')
    ? confirmBy(desk, storedIntent, undefined, return_url)
    : storedIntent.intent
}

export function update(desk: CardDesk, id: string, parameters: Parameters): Stripe.PaymentIntent {
  parameters.takes(
    'amount',
    'description',
    'expand',
    'metadata',
    'receipt_email',
    'setup_future_usage',
  )
  const storedIntent = find(desk, id)
  const { intent } = storedIntent
  const amount = parameters.whole('amount')
  if (amount !== undefined && !changeable.includes(intent.status)) {
    throw wrongState(
      `This PaymentIntent's amount could not be updated because it has a status of ${intent.status}. ` +
        `You may only update the amount of a PaymentIntent with one of the following statuses: ${changeable.join(', ')}.`,
      intent,
    )
  }
  if (amount !== undefined && storedIntent.session !== null) {
    throw wrongState('The amount of a Checkout Session belongs to the session.', intent)
  }
  const updatedIntent: Stripe.PaymentIntent = {
    ...intent,
    amount: amount === undefined ? intent.amount : payableAmount(amount, intent.currency, 'amount'),
    metadata: { ...intent.metadata, ...parameters.metadata() },
    ...(parameters.has('description') ? { description: parameters.textOrNull('description') } : {}),
    ...(parameters.has('receipt_email')
      ? { receipt_email: parameters.textOrNull('receipt_email') }
      : {}),
    setup_future_usage:
      parameters.oneOf('setup_future_usage', futureUsages) ?? intent.setup_future_usage,
  }
  const keeping = updatedIntent.setup_future_usage ? 'limited' : null
  desk.state.put('intent', { ...storedIntent, keeping, intent: updatedIntent })
  return updatedIntent
}

export function confirm(desk: CardDesk, id: string, parameters: Parameters): Outcome {
  parameters.takes('expand', 'payment_method', 'return_url')
  const storedIntent = find(desk, id)
  if (storedIntent.session !== null)
    throw wrongState('Checkout confirms this PaymentIntent itself.')
  return confirmBy(
    desk,
    storedIntent,
    parameters.text('payment_method'),
    parameters.textOrNull('return_url'),
  )
}

export function cancel(desk: CardDesk, id: string, parameters: Parameters): Stripe.PaymentIntent {
  parameters.takes('cancellation_reason', 'expand')
  const storedIntent = find(desk, id)
  const { intent, session } = storedIntent
  if (!cancelable.includes(intent.status)) {
    throw wrongState(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. ` +
        `Only a PaymentIntent with one of the following statuses may be canceled: ${cancelable.join(', ')}.`,
      intent,
    )
  }
  if (session !== null && intent.status !== 'requires_capture') {
    throw wrongState('Expire the Checkout Session of this PaymentIntent instead.', intent)
  }
  return attempts.cancel(desk, storedIntent, parameters.text('cancellation_reason') ?? null).intent
}

export function capture(desk: CardDesk, id: string, parameters: Parameters): Stripe.PaymentIntent {
  parameters.takes('amount_to_capture', 'expand')
  const storedIntent = find(desk, id)
  if (storedIntent.intent.status !== 'requires_capture') {
    throw wrongState(
      `This PaymentIntent could not be captured because it has a status of ${storedIntent.intent.status}.`,
      storedIntent.intent,
    )
  }
  const amount = parameters.whole('amount_to_capture') ?? storedIntent.intent.amount_capturable
  if (amount < 1 || amount > storedIntent.intent.amount_capturable) {
    throw invalidParameter('amount_to_capture', 'The amount exceeds the authorized amount.')
  }
  return attempts.capture(desk, storedIntent, amount).intent
}
