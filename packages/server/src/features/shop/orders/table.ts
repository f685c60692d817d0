import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'

export const statuses = ['Cancelled', 'Draft', 'Paid', 'PendingPayment'] as const
export type Status = (typeof statuses)[number]

/** A cart or an order. */
export type OrdersTable = {
  id: Generated<string>
  user_id: string
  status: Status
  /** The cart of `/cart`; others are saved carts. */
  is_current: boolean
  /** Whether it has items. */
  is_filled: Generated<boolean>
  /** Raised by every checkout: a payment for an earlier round is late. */
  round: Generated<number>
  method: string | null
  /** The partner in whose flow the cart was filled. */
  organization_id: string | null
  /** The key that the buyer chose for their ids. */
  pubkey: string | null
  tracking_data: ColumnType<unknown, string | null, string | null>
  /** When the hold of its ids expires. */
  expires_at: Date | null
  /** When the hold would have expired before money was seen. */
  held_until: Date | null
  paid_at: Date | null
  refund_requested_at: Date | null
  refund_request: string | null
  /** When operators refunded or declined; null while the request is open. */
  refund_answered_at: Date | null
  /** Why operators declined. */
  refund_declined: string | null
  created_at: Date
  updated_at: Date
}
export type Order = Selectable<OrdersTable>

export const itemTypes = ['Discount', 'LootBox', 'EmojiId'] as const
export const marks = ['Taken', 'PendingPurchase'] as const

/** Why an item cannot be refunded. The first obstacle that applies is shown. */
export const refundObstacles = [
  'not_paid',
  'refunded',
  'disputed',
  'not_owned',
  'minted',
  'signature_live',
  'opened',
  'too_late',
  'no_money',
] as const
export type RefundObstacle = (typeof refundObstacles)[number]

export type OrderItemsTable = {
  id: Generated<string>
  position: GeneratedAlways<number>
  order_id: string
  item_type: (typeof itemTypes)[number]
  emoji_id: string | null
  lootbox_id: string | null
  /** As the buyer typed it, with its skin tones. */
  display_format: string | null
  /** The discounted item. */
  parent_id: string | null
  code_id: string | null
  quantity: Generated<number>
  refunded_quantity: Generated<number>
  unit_price_in_cents: number
  client_fee_in_cents: Generated<number>
  company_fee_in_cents: Generated<number>
  /** The part of a discount that comes off the partner's fee. */
  client_fee_cut_in_cents: Generated<number>
  /**
   * Whether the item bears the partner's fee; not if it was in the cart before the partner's flow.
   */
  bears_client_fee: Generated<boolean>
  rhythm_score: number | null
  marked_invalid_at: Date | null
  marked_invalid_at_reason: (typeof marks)[number] | null
  created_at: Date
  updated_at: Date
}
export type OrderItem = Selectable<OrderItemsTable>

/** An order with its items, both read once under the lock of the order. */
export type LoadedOrder = Order & { items: readonly OrderItem[] }

/** How long an account held an id or a lootbox for an order. */
export type HoldTimesTable = {
  id: GeneratedAlways<number>
  user_id: string
  /** The emoji id, or the id of the lootbox. */
  held: string
  order_id: string
  began_at: Date
  /** When the hold ends or ended. */
  ended_at: Date
}
