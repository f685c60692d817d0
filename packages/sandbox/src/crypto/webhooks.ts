import { createHmac } from 'node:crypto'
import { randomText } from '../ids.ts'
import type { State } from '../state.ts'
import type { Courier, Delivery, Parcel } from '../webhooks/courier.ts'
import type { Happening } from './accounting.ts'
import type { MethodId, Payment, StoredInvoice, Webhook } from './objects.ts'
import { notFound } from './problems.ts'

/** A payment event. */
type PaymentHappening = {
  type: 'InvoiceReceivedPayment' | 'InvoicePaymentSettled'
  afterExpiration: boolean
  paymentMethodId: MethodId
  payment: Payment
}

export type WebhookMessage = Happening | PaymentHappening | { type: 'InvoiceCreated' }

type Options = { state: State; courier: Courier; seconds: () => number }

/** The webhooks of a BTCPay store, and their deliveries. */
export function createCryptoWebhooks({ state, courier, seconds }: Options) {
  const write = (id: string, event: object): void =>
    state.put('message', { id, body: JSON.stringify(event, null, 2), created: seconds() })
  const read = (id: string) => JSON.parse(state.get('message', id)?.body ?? '{}')

  /** A redelivery with its own id, which names the first delivery. */
  function redelivery(earlier: Parcel): Parcel {
    const id = randomText(22)
    const message = { deliveryId: id, isRedelivery: true, timestamp: seconds() }
    write(id, { ...read(earlier.id), ...message })
    const { provider, subject, endpoint } = earlier
    return { id, provider, subject, endpoint, created: seconds() }
  }
  const findDelivery = (webhookId: string, id: string): Delivery => {
    const delivery = state.get('delivery', id)
    if (!delivery || delivery.endpoint !== webhookId) throw notFound('delivery')
    return delivery
  }

  courier.serve('crypto', {
    letterOf({ id, endpoint }) {
      const webhook = state.get('webhook', endpoint)
      const body = state.get('message', id)?.body
      if (!webhook?.enabled || body === undefined) return undefined
      const { url, secret } = webhook
      return { url, headers: { 'btcpay-sig': signatureOf(secret, body) }, body }
    },
    again: (delivery) =>
      state.get('webhook', delivery.endpoint)?.automaticRedelivery
        ? redelivery(delivery)
        : undefined,
  })

  return {
    findDelivery,
    read,

    tell({ id, storeId, metadata }: StoredInvoice, message: WebhookMessage): void {
      for (const webhook of state.all('webhook')) {
        const { everything, specificEvents } = webhook.authorizedEvents
        if (!webhook.enabled || !(everything || specificEvents.includes(message.type))) continue
        const deliveryId = randomText(22)
        const { type, ...more } = message
        const event = {
          deliveryId,
          webhookId: webhook.id,
          originalDeliveryId: deliveryId,
          isRedelivery: false,
          type,
          timestamp: seconds(),
          storeId,
          invoiceId: id,
          ...more,
          metadata,
        }
        write(deliveryId, event)
        const first: Parcel = {
          id: deliveryId,
          provider: 'crypto',
          subject: id,
          endpoint: webhook.id,
          created: seconds(),
        }
        courier.post((copy) => (copy === 0 ? first : redelivery(first)))
      }
    },

    /** Newest first. */
    deliveriesOf: (webhookId: string): Delivery[] =>
      state
        .all('delivery')
        .filter(({ provider, endpoint }) => provider === 'crypto' && endpoint === webhookId)
        .reverse(),

    redeliver(delivery: Delivery): string {
      const secondParcel = state.change(() => redelivery(delivery))
      courier.postNow(secondParcel)
      return secondParcel.id
    },
  }
}

export const viewWebhook = ({ secret: _secret, ...view }: Webhook) => view

export const viewDelivery = ({ id, created, delivered, http_code, error, attempts }: Delivery) => ({
  id,
  timestamp: created,
  deliveryTime: created,
  httpCode: http_code,
  errorMessage: error ?? '',
  status: delivered
    ? 'HttpSuccess'
    : attempts === 0
      ? 'Pending'
      : http_code
        ? 'HttpError'
        : 'Failed',
})

/** BTCPay's `BTCPay-Sig`. */
const signatureOf = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
