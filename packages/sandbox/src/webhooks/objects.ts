/** A message for the receiver of webhooks. */
export type Parcel = {
  id: string
  provider: 'card' | 'crypto'
  /** What it tells of: an event of cards, an invoice. */
  subject: string
  /** Which of the provider's webhooks it goes to. */
  endpoint: string
  /** In seconds. */
  created: number
}

/** What became of it. What it says is kept elsewhere, since this changes with every attempt. */
export type Delivery = Parcel & {
  attempts: number
  /** When the next attempt is made, in milliseconds of this machine; nothing more to do: null. */
  due_at: number | null
  delivered: boolean
  http_code: number | null
  error: string | null
}

/** How webhooks travel, to try out what receivers must cope with. */
export type WebhookSettings = {
  id: 'webhooks'
  /** They set out so much later. */
  delay_ms: number
  /** Each event arrives so many times. */
  copies: number
  /** Those of one moment arrive in reverse order. */
  shuffled: boolean
  /** None sets out. */
  off: boolean
}
