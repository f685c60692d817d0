/** A message for the receiver of webhooks. */
export type Parcel = {
  id: string
  provider: 'card' | 'crypto'
  /** The subject: a card event, or an invoice. */
  subject: string
  /** The webhook that it is sent to. */
  endpoint: string
  /** The time in seconds since 1970. */
  created: number
}

/** The delivery state. The content is stored separately, since this changes with every attempt. */
export type Delivery = Parcel & {
  attempts: number
  /** The time of the next attempt, in milliseconds; null if finished. */
  due_at: number | null
  delivered: boolean
  http_code: number | null
  error: string | null
}

/** Webhook settings, to test difficult deliveries. */
export type WebhookSettings = {
  id: 'webhooks'
  /** The delay of each delivery. */
  delay_ms: number
  /** The number of copies of each event. */
  copies: number
  /** Events of one moment arrive in reverse order. */
  shuffled: boolean
  /** Nothing is sent. */
  off: boolean
}
