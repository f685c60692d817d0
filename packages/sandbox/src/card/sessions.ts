import type Stripe from 'stripe'
import { randomText } from '../ids.ts'
import * as attempts from './attempts.ts'
import { CardApiError, invalidParameter, missingParameter, noSuch, noSuchNamed } from './errors.ts'
import * as intents from './intents.ts'
import type { StoredIntent, StoredSession } from './objects.ts'
import { type Parameters, payableAmount } from './parameters.ts'
import type { CardDesk } from './provider.ts'
import { blankSession, createParameters } from './session-object.ts'
import { readAddress, readExpiry, readIntentData, readItem, readSaving } from './session-request.ts'

type Session = Stripe.Checkout.Session

/** The address works while the session is open, at the current port of the sandbox. */
export const view = (desk: CardDesk, { session }: StoredSession): Session => ({
  ...session,
  url: session.status === 'open' ? `${desk.origin()}/pay/session/${session.id}` : null,
})
const save = (
  desk: CardDesk,
  storedSession: StoredSession,
  changed: Partial<Session>,
): StoredSession => {
  const saved = { ...storedSession, session: { ...storedSession.session, ...changed } }
  desk.state.put('session', saved)
  return saved
}

function end(desk: CardDesk, storedSession: StoredSession): StoredSession {
  const { payment_intent } = storedSession.session
  const expiredSession = save(desk, storedSession, { status: 'expired' })
  if (typeof payment_intent === 'string')
    attempts.cancel(desk, intents.find(desk, payment_intent), 'automatic')
  desk.emit('checkout.session.expired', view(desk, expiredSession))
  return expiredSession
}

export function find(desk: CardDesk, id: string): StoredSession {
  const storedSession = desk.state.get('session', id)
  if (!storedSession) throw noSuch('checkout.session', id, 'session')
  const isOver =
    storedSession.session.status === 'open' && storedSession.session.expires_at <= desk.seconds()
  return isOver ? desk.state.change(() => end(desk, storedSession)) : storedSession
}

export function create(desk: CardDesk, parameters: Parameters): Session {
  parameters.takes(...createParameters)
  if (parameters.needed('mode') !== 'payment') {
    throw invalidParameter('mode', 'The sandbox supports only sessions with the mode `payment`.')
  }
  parameters.oneOf('ui_mode', ['hosted_page'])
  const customer = parameters.text('customer') ?? null
  if (customer && !desk.state.get('customer', customer)) {
    throw noSuchNamed('customer', customer, 'customer')
  }
  const line_items = parameters.groups('line_items').map((item) => readItem(item, desk.seconds()))
  const [first] = line_items
  if (!first) throw missingParameter('line_items')
  if (line_items.some(({ currency }) => currency !== first.currency)) {
    throw invalidParameter('line_items', 'All items of a session must have the same currency.')
  }
  const total = line_items.reduce((sum, { amount_total }) => sum + amount_total, 0)
  const id = `cs_test_${randomText(58)}`
  const storedSession: StoredSession = {
    id,
    line_items,
    intent_data: readIntentData(parameters),
    session: {
      ...blankSession(id, desk.seconds(), payableAmount(total, first.currency, 'line_items')),
      currency: first.currency,
      customer,
      allowed_payment_method_types: parameters.texts('allowed_payment_method_types') ?? null,
      cancel_url: parameters.has('cancel_url') ? readAddress(parameters, 'cancel_url') : null,
      client_reference_id: parameters.textOrNull('client_reference_id'),
      customer_creation: customer ? null : 'if_required',
      customer_email: parameters.textOrNull('customer_email'),
      expires_at: readExpiry(parameters, desk.seconds()),
      metadata: parameters.metadata() ?? {},
      saved_payment_method_options: readSaving(parameters, customer),
      success_url: readAddress(parameters, 'success_url'),
    },
  }
  desk.state.put('session', storedSession)
  return view(desk, storedSession)
}

export function expire(desk: CardDesk, id: string): Session {
  const storedSession = find(desk, id)
  if (storedSession.session.status !== 'open') {
    throw new CardApiError(
      400,
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${storedSession.session.status}.`,
    )
  }
  return view(desk, end(desk, storedSession))
}

/** Checkout creates the intent at the buyer's first attempt to pay. */
export function intentOf(desk: CardDesk, storedSession: StoredSession): StoredIntent {
  const { session, intent_data } = storedSession
  if (typeof session.payment_intent === 'string') return intents.find(desk, session.payment_intent)
  const intent = intents.make(
    desk,
    {
      amount: session.amount_total ?? 0,
      currency: session.currency ?? 'usd',
      customer: session.customer as string | null,
      ...intent_data,
    },
    session.id,
  )
  save(desk, storedSession, { payment_intent: intent.id })
  return intent
}

/** Updates the session after a change of its intent. */
export function follow(desk: CardDesk, id: string): Session {
  const storedSession = desk.state.get('session', id)
  if (!storedSession) throw noSuch('checkout.session', id, 'session')
  const { status } = intents.find(desk, String(storedSession.session.payment_intent)).intent
  const isPaid = status === 'succeeded' || status === 'requires_capture'
  if (storedSession.session.status === 'open') {
    if (!isPaid && status !== 'processing') return view(desk, storedSession)
    const complete = save(desk, storedSession, {
      status: 'complete',
      payment_status: isPaid ? 'paid' : 'unpaid',
      customer_details: buyer,
    })
    desk.emit('checkout.session.completed', view(desk, complete))
    return view(desk, complete)
  }
  if (isPaid) {
    const paidSession = save(desk, storedSession, { payment_status: 'paid' })
    desk.emit('checkout.session.async_payment_succeeded', view(desk, paidSession))
    return view(desk, paidSession)
  }
  desk.emit('checkout.session.async_payment_failed', view(desk, storedSession))
  return view(desk, storedSession)
}

/** Expires sessions whose time is up. */
export function sweep(desk: CardDesk): void {
  for (const { id, session } of desk.state.all('session'))
    if (session.status === 'open') find(desk, id)
}

const buyer: Stripe.Checkout.Session.CustomerDetails = {
  address: null,
  business_name: null,
  email: 'buyer@example.com',
  individual_name: null,
  name: 'Sandbox Buyer',
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
}
