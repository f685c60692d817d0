import type { ColumnType, Generated, Selectable } from 'kysely'

export type Provider = 'card' | 'crypto'

/** Payment methods of providers. */
export type ProviderMethod = 'CardCheckout' | 'WalletPay' | 'CryptoCommerce'

/** Why a payment was refunded or released instead of buying the order. */
export type CloseReason = 'barred_card' | 'removed_buyer' | 'closed_order' | 'risen_price'
export const closeReasons: readonly CloseReason[] = [
  'barred_card',
  'removed_buyer',
  'closed_order',
  'risen_price',
]

/** One row per object that a provider creates for an order. */
export type PaymentAttemptsTable = {
  id: Generated<string>
  order_id: string
  user_id: string
  /** The checkout of the order that it belongs to. */
  round: number
  method: ProviderMethod
  provider: Provider
  /** The provider's reference, once the object exists. */
  reference: string | null
  amount_in_cents: number
  /** The order when its payment was requested; a late payment buys this. */
  snapshot: ColumnType<unknown, string, never>
  /** The saved card that it charges. */
  payment_method: string | null
  /** The card is only authorized at first: the account used a barred card before. */
  is_capture_manual: Generated<boolean>
  success_url: string | null
  cancel_url: string | null
  /** The payment details, until it is closed. */
  sealed: string | null
  /** Cryptocurrency addresses shown to the buyer. */
  methods: ColumnType<unknown, string | undefined, string>
  /** Whether the buyer may still pay. */
  status: 'open' | 'closed'
  close_reason: CloseReason | null
  /** The order created for a late payment. */
  late_order_id: string | null
  /** When money for it was first seen. */
  seen_at: Date | null
  /** Whether the full amount was seen while the ids were held, and has not vanished since. */
  seen_in_hold: Generated<boolean>
  /** When to check the provider again. */
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
