import type Stripe from 'stripe'

export type Subject =
  | Stripe.Charge
  | Stripe.Checkout.Session
  | Stripe.Customer
  | Stripe.Dispute
  | Stripe.PaymentIntent
  | Stripe.PaymentMethod
  | Stripe.Refund

export type EventType =
  | 'charge.captured'
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.dispute.funds_reinstated'
  | 'charge.dispute.funds_withdrawn'
  | 'charge.dispute.updated'
  | 'charge.failed'
  | 'charge.pending'
  | 'charge.refund.updated'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'charge.updated'
  | 'checkout.session.async_payment_failed'
  | 'checkout.session.async_payment_succeeded'
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'customer.created'
  | 'payment_intent.amount_capturable_updated'
  | 'payment_intent.canceled'
  | 'payment_intent.created'
  | 'payment_intent.payment_failed'
  | 'payment_intent.processing'
  | 'payment_intent.requires_action'
  | 'payment_intent.succeeded'
  | 'payment_method.attached'
  | 'payment_method.detached'
  | 'refund.created'
  | 'refund.failed'
  | 'refund.updated'

export type Event = Omit<Stripe.EventBase, 'type' | 'data'> & {
  type: EventType
  data: { object: Subject }
}

export type StoredEvent = {
  id: string
  created: number
  event: Event
  /** The first delivery. */
  delivery: string
}

/** The first response to a request with an Idempotency-Key. */
export type StoredAnswer = {
  id: string
  fingerprint: string
  status: number
  body: unknown
  created: number
}

/** An intent with its private data. */
export type StoredIntent = {
  id: string
  /** The session that it belongs to. */
  session: string | null
  /** Whether the card is saved after the charge, and for which purchases. */
  keeping: 'always' | 'limited' | null
  intent: Stripe.PaymentIntent
}

/** A session with its private data: its items, and the data of its future intent. */
export type StoredSession = {
  id: string
  session: Stripe.Checkout.Session
  line_items: Stripe.LineItem[]
  intent_data: Partial<Stripe.PaymentIntent>
}
