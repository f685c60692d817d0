import type Stripe from 'stripe'
import type { KeptAnswer, KeptEvent, KeptIntent, KeptSession } from './card/objects.ts'
import type {
  KeptClaim,
  KeptInvoice,
  KeptRate,
  Message,
  StoreMethod,
  Webhook,
} from './crypto/objects.ts'
import type { Delivery, WebhookSettings } from './webhooks/objects.ts'

/** All stored objects, by kind. */
export type Kept = {
  answer: KeptAnswer
  charge: Stripe.Charge
  claim: KeptClaim
  customer: Stripe.Customer
  delivery: Delivery
  dispute: Stripe.Dispute
  event: KeptEvent
  intent: KeptIntent
  invoice: KeptInvoice
  message: Message
  payment_method: Stripe.PaymentMethod
  rate: KeptRate
  refund: Stripe.Refund
  session: KeptSession
  settings: WebhookSettings
  store_method: StoreMethod
  webhook: Webhook
}
