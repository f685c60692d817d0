import type { ColumnType, Generated, Selectable } from 'kysely'

export type Provider = 'card' | 'crypto'

/** Ways to pay that a provider carries out. */
export type ProviderMethod = 'CardCheckout' | 'WalletPay' | 'CryptoCommerce'

/** One row per object that a provider makes for an order. */
export type PaymentAttemptsTable = {
  id: Generated<string>
  order_id: string
  user_id: string
  /** Which checkout of the order it belongs to. */
  round: number
  method: ProviderMethod
  provider: Provider
  /** The provider's name for it, once it is made. */
  reference: string | null
  amount_in_cents: number
  /** The order as it was when the payment was asked for; late money buys this. */
  snapshot: ColumnType<unknown, string, never>
  /** The saved card that it charges. */
  payment_method: string | null
  success_url: string | null
  cancel_url: string | null
  /** What the buyer needs to pay, until it is closed. */
  sealed: string | null
  /** Addresses in cryptocurrency that the buyer was shown. */
  methods: ColumnType<unknown, string | undefined, string>
  /** Whether the buyer may still pay. */
  status: 'open' | 'closed'
  /** The order made for money that came late. */
  late_order_id: string | null
  /** When money for it was first seen. */
  seen_at: Date | null
  /** All of the money was seen while the ids were held, and has not vanished since. */
  seen_in_hold: Generated<boolean>
  /** When to ask the provider again. */
  check_at: Date | null
  expires_at: Date
  created_at: Date
}
export type Attempt = Selectable<PaymentAttemptsTable>

export type PaymentEventsTable = {
  provider: Provider
  event_id: string
  attempt_id: string | null
  created_at: Date
}
