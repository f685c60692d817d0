import type Stripe from 'stripe'
import { randomText } from '../ids.ts'
import type { State } from '../state.ts'
import type { Courier } from '../webhooks/courier.ts'
import { noSuch } from './errors.ts'

/** The version of Stripe's API whose objects these are. */
const apiVersion = '2026-10-28.endive'

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

type Event = Omit<Stripe.EventBase, 'type' | 'data'> & {
  type: EventType
  data: { object: Subject }
}

export type KeptEvent = {
  id: string
  created: number
  event: Event
  /** The first one that was sent. */
  delivery: string
}

export type Events = ReturnType<typeof createEvents>

type Options = { state: State; seconds: () => number; courier: Courier }

export function createEvents({ state, seconds, courier }: Options) {
  const parcel = (subject: string, id = `dlv_${randomText(24)}`) => ({
    id,
    provider: 'card' as const,
    subject,
    endpoint: 'card',
    created: seconds(),
  })
  /** An event is pending until the webhook's receiver took it. */
  const view = ({ event, delivery }: KeptEvent): Event => {
    const isTaken = state.get('delivery', delivery)?.delivered
    return { ...event, pending_webhooks: isTaken ? 0 : 1 }
  }
  const find = (id: string): KeptEvent => {
    const kept = state.get('event', id)
    if (!kept) throw noSuch('event', id)
    return kept
  }

  return {
    find,
    view,

    emit(type: EventType, subject: Subject): void {
      const id = `evt_${randomText(24)}`
      const delivery = `dlv_${randomText(24)}`
      const created = seconds()
      const event: Event = {
        id,
        object: 'event',
        api_version: apiVersion,
        created,
        data: { object: subject },
        livemode: false,
        pending_webhooks: 1,
        type,
        request: { id: null, idempotency_key: null },
      }
      state.put('event', { id, created, event, delivery })
      courier.post((copy) => parcel(id, copy === 0 ? delivery : undefined))
    },

    /** Once more, whatever the settings say. */
    deliverAgain: (id: string): void => courier.postNow(parcel(find(id).id)),
  }
}
