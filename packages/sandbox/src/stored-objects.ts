import type Stripe from 'stripe'
import type { StoredAnswer, StoredEvent, StoredIntent, StoredSession } from './card/objects.ts'
import type {
  Message,
  StoredClaim,
  StoredInvoice,
  StoredRate,
  StoreMethod,
  Webhook,
} from './crypto/objects.ts'
import type { Delivery, WebhookSettings } from './webhooks/objects.ts'

/** All stored objects, by kind. */
export type StoredObjects = {
  answer: StoredAnswer
  charge: Stripe.Charge
  claim: StoredClaim
  customer: Stripe.Customer
  delivery: Delivery
  dispute: Stripe.Dispute
  event: StoredEvent
  intent: StoredIntent
  invoice: StoredInvoice
  message: Message
  payment_method: Stripe.PaymentMethod
  rate: StoredRate
  refund: Stripe.Refund
  session: StoredSession
  settings: WebhookSettings
  store_method: StoreMethod
  webhook: Webhook
}
