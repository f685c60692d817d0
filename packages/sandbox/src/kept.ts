import type Stripe from 'stripe'
import type { KeptEvent } from './card/events.ts'
import type { KeptAnswer } from './card/idempotency.ts'
import type { KeptIntent } from './card/intents.ts'
import type { KeptSession } from './card/sessions.ts'
import type { KeptClaim } from './crypto/claims.ts'
import type { KeptInvoice } from './crypto/invoices.ts'
import type { KeptRate, StoreMethod } from './crypto/methods.ts'
import type { Message, Webhook } from './crypto/webhooks.ts'
import type { Delivery } from './webhooks/courier.ts'
import type { WebhookSettings } from './webhooks/settings.ts'

/** Everything that is remembered, by kind. */
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
