import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'

export const statuses = ['Cancelled', 'Draft', 'Paid', 'PendingPayment'] as const
export type Status = (typeof statuses)[number]

/** A cart, and what becomes of it. */
export type OrdersTable = {
  id: Generated<string>
  user_id: string
  status: Status
  /** The one that `/cart` is about; others are saved carts. */
  is_current: boolean
  /** Whether anything is in it; with its items that changes. */
  is_filled: Generated<boolean>
  /** Raised by every checkout: money for an earlier one comes late. */
  round: Generated<number>
  method: string | null
  /** The partner in whose flow the cart was filled. */
  organization_id: string | null
  /** The key that the buyer wants their ids bound to. */
  pubkey: string | null
  tracking_data: ColumnType<unknown, string | null, string | null>
  /** Until when its ids are held. */
  expires_at: Date | null
  /** When that was to end before any money was seen. */
  held_until: Date | null
  paid_at: Date | null
  refund_requested_at: Date | null
  refund_request: string | null
  /** When operators gave something back, or declined; nothing while the request waits for them. */
  refund_answered_at: Date | null
  /** Why they declined. */
  refund_declined: string | null
  created_at: Date
  updated_at: Date
}
export type Order = Selectable<OrdersTable>

export const itemTypes = ['Discount', 'LootBox', 'EmojiId'] as const
export const marks = ['Taken', 'PendingPurchase'] as const

/** Why something that was bought cannot be given back; who has it no more needs no other reason. */
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
  /** As the buyer typed it, with its tones. */
  display_format: string | null
  /** What a discount is on. */
  parent_id: string | null
  code_id: string | null
  quantity: Generated<number>
  refunded_quantity: Generated<number>
  unit_price_in_cents: number
  client_fee_in_cents: Generated<number>
  company_fee_in_cents: Generated<number>
  /** What of a discount comes off the partner's fee on its item. */
  client_fee_cut_in_cents: Generated<number>
  /** Whether the partner's fee is on it: not if it was in the cart before the partner. */
  bears_client_fee: Generated<boolean>
  rhythm_score: number | null
  marked_invalid_at: Date | null
  marked_invalid_at_reason: (typeof marks)[number] | null
  created_at: Date
  updated_at: Date
}
export type OrderItem = Selectable<OrderItemsTable>

/** An order with its items. Both are read once, under the lock of the order, and handed on. */
export type LoadedOrder = Order & { items: readonly OrderItem[] }

/** How long an account kept an id or a lootbox for an order. */
export type HoldTimesTable = {
  id: GeneratedAlways<number>
  user_id: string
  /** The id, or the number of the lootbox. */
  held: string
  order_id: string
  began_at: Date
  /** When the hold ends, or ended earlier. */
  ended_at: Date
}
