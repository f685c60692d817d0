import { textLengths } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/api/paging.ts'
import { Day, Nullable, OneOf, Timestamp } from '../../../platform/http/api/schemas.ts'
import { EmojiIdText } from '../../directory/emoji-ids/emoji-ids.ts'
import { DisplayUser } from '../../identity/accounts/accounts.ts'
import { DisputeStatus } from '../ledger/ledger.ts'

/** The payment details for the buyer. */
const PaymentMethodData = Type.Object({
  method: OneOf(['CryptoCommerce', 'CardCheckout']),
  methods: Type.Array(
    Type.Object({
      address: Type.String(),
      amount: Type.Number(),
      currency: Type.String(),
      title: Type.String(),
    }),
  ),
  client_secret: Type.String(),
  payment_intent_id: Type.String(),
  cancel_url: Nullable(Type.String()),
  success_url: Nullable(Type.String()),
  invoice_id: Nullable(Type.String()),
  session_id: Nullable(Type.String()),
  checkout_url: Type.Optional(
    Nullable(Type.String({ description: 'The payment page; absent once the order is paid' })),
  ),
})
export type PaymentMethodData = Static<typeof PaymentMethodData>

export type Provider = 'card' | 'crypto'

/** Payment methods of providers. */
export type ProviderMethod = 'CardCheckout' | 'WalletPay' | 'CryptoCommerce'

/** Why a payment was refunded or released instead of buying the order. */
export type CloseReason = 'barred_card' | 'removed_buyer' | 'closed_order' | 'risen_price'
const closeReasons: readonly CloseReason[] = [
  'barred_card',
  'removed_buyer',
  'closed_order',
  'risen_price',
]

const statuses = ['Cancelled', 'Draft', 'Paid', 'PendingPayment'] as const
export type Status = (typeof statuses)[number]

export const itemTypes = ['Discount', 'LootBox', 'EmojiId'] as const
export const marks = ['Taken', 'PendingPurchase'] as const

/** Why an item cannot be refunded. The first obstacle that applies is shown. */
const refundObstacles = [
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

const Uuid = Type.String({ format: 'uuid' })
const Cents = (description?: string) => Type.Integer(description ? { description } : {})

const PaymentCloseReason = Nullable(
  Type.Unsafe<CloseReason>({
    ...OneOf(closeReasons),
    description: 'Why a payment was refunded or released instead of buying the order',
  }),
)

const OrderItem = Type.Object({
  id: Uuid,
  order_id: Uuid,
  item_type: OneOf(itemTypes),
  quantity: Type.Integer(),
  refunded_quantity: Type.Integer(),
  unit_price_in_cents: Cents('Negative for a discount'),
  client_fee_in_cents: Cents(),
  company_fee_in_cents: Cents(),
  created_at: Timestamp,
  updated_at: Timestamp,
  code_id: Nullable(Uuid),
  main_id: Nullable(Uuid),
  parent_id: Nullable(Uuid),
  emoji_id: Nullable(Type.String({ description: 'Canonical format' })),
  main_table: Nullable(Type.String()),
  marked_invalid_at: Nullable(Timestamp),
  marked_invalid_at_reason: Nullable(OneOf(marks)),
  rhythm_score: Nullable(Type.Integer()),
  refund_obstacle: Type.Optional(
    Nullable(
      Type.Unsafe<RefundObstacle>({
        ...OneOf(refundObstacles),
        description: 'Why this id or box can’t be refunded; null if it can',
      }),
    ),
  ),
})

export const TrackingData = Type.Unknown({ description: 'Stored with the order, for the partner' })

/** The partner in whose flow a cart is filled. */
export const FlowPartner = Type.String({
  format: 'uuid',
  description: 'The partner in whose flow the items are added; the price includes its fee',
})

export const DisplayOrder = Type.Object({
  id: Uuid,
  order_number: Type.String({ description: 'The last 8 characters of the id' }),
  status: OneOf(statuses),
  created_at: Timestamp,
  updated_at: Timestamp,
  user_id: Uuid,
  user: DisplayUser,
  total_in_cents: Cents('Without items that are marked invalid'),
  amount_overpaid_in_cents: Cents(),
  misc_refunded_total_in_cents: Cents('Paid-out refunds; pending ones are not included'),
  refunded_total_in_cents: Cents(),
  remaining_due_in_cents: Cents(),
  eligible_for_refund: Type.Boolean(),
  order_items: Type.Array(OrderItem),
  expires_at: Nullable(Timestamp),
  seconds_until_expiry: Nullable(Type.Integer()),
  paid_at: Nullable(Timestamp),
  organization_id: Nullable(Uuid),
  payment_method_data: Nullable(PaymentMethodData),
  payment_under_way: Type.Boolean({
    description: 'Money for it has arrived in part or is pending: the buyer should not pay again',
  }),
  payment_close_reason: Type.Optional(PaymentCloseReason),
  refund_requested_at: Nullable(Timestamp),
  refund_request: Type.Optional(Nullable(Type.String({ description: 'For operators' }))),
  refund_answered_at: Nullable(Timestamp),
  refund_declined: Nullable(
    Type.String({ description: 'Why the refund was declined; null if it was not' }),
  ),
  applied_codes: Type.Optional(
    Type.Array(
      Type.Object({
        code_id: Uuid,
        name: Type.String({ description: 'As the buyer typed it; a signed code by its name' }),
        discount_in_cents: Cents('The discount on the order'),
      }),
      { description: 'The promo codes of an order that waits for its payment' },
    ),
  ),
  dispute: Type.Optional(
    Nullable(
      Type.Object({
        status: DisputeStatus,
        amount_in_cents: Cents('The dispute of the buyer’s bank'),
        opened_at: Timestamp,
        closed_at: Nullable(Timestamp),
        frozen: Type.Boolean({
          description: 'The ids and boxes can’t be transferred, released, minted or opened',
        }),
      }),
    ),
  ),
  disputed_total_in_cents: Type.Optional(
    Cents('Money that banks took for lost disputes, beyond refunds of the shop'),
  ),
  tracking_data: Type.Optional(Type.Unknown({ description: 'For operators and the partner' })),
})
export type DisplayOrder = Static<typeof DisplayOrder>

const { id, order_number, status, created_at, updated_at, paid_at, ...others } =
  DisplayOrder.properties
const { organization_id, total_in_cents, refunded_total_in_cents, order_items, ...more } = others
const { disputed_total_in_cents, ...ofBuyer } = more

const ListedOrder = Type.Object({
  id,
  order_number,
  status,
  created_at,
  updated_at,
  paid_at,
  organization_id,
  total_in_cents,
  refunded_total_in_cents,
  disputed_total_in_cents,
  order_items,
  client_fee_in_cents: Type.Optional(
    Cents('With organization_id: the partner’s earnings; 0 until it is paid'),
  ),
  /** Absent in the sales that a partner sees. */
  ...Type.Partial(Type.Object(ofBuyer)).properties,
})
export type Sale = Omit<Static<typeof ListedOrder>, keyof typeof ofBuyer>

const SaleSums = Type.Object(
  {
    paid_orders: Type.Integer(),
    total_in_cents: Cents('Paid by buyers, including fees, without overpayments'),
    refunded_total_in_cents: Cents(),
    client_fee_in_cents: Cents('The partner’s earnings, without refunded items'),
  },
  { description: 'With organization_id: totals of all matching paid orders, on every page' },
)
export type SaleSums = Static<typeof SaleSums>

export const OrderPage = Type.Object({
  ...pageOf(ListedOrder).properties,
  sums: Type.Optional(SaleSums),
})
export const OrderQuery = Type.Object({
  ...pagingQuery(['created_at', 'updated_at'], { sort: 'created_at', dir: 'Desc' }).properties,
  user_id: Type.Optional(Uuid),
  organization_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'Only orders in the flow of this partner. Its power roles see its sales, without carts and without data of the buyers',
    }),
  ),
  status: Type.Optional(OneOf(statuses)),
  placed: Type.Optional(
    Type.Boolean({ description: 'Only orders that were checked out, no carts' }),
  ),
  filled: Type.Optional(Type.Boolean({ description: 'Only orders with items' })),
  refund_requested: Type.Optional(
    Type.Boolean({ description: 'Only orders with a refund request' }),
  ),
  refund_request: Type.Optional(
    Type.Unsafe<'open' | 'handled'>({
      ...OneOf(['open', 'handled'] as const),
      description: 'Of those: open requests, or answered ones',
    }),
  ),
  q: Type.Optional(
    Type.String({
      ...textLengths.search,
      description:
        'An order number, the id of an order or a buyer, or a part of the buyer’s email address; for partners an order number or the id of an order',
    }),
  ),
  emoji_id: Type.Optional(
    Type.String({
      ...EmojiIdText,
      description: 'Only orders of this emoji id, in any spelling, directly or in a lootbox',
    }),
  ),
  from: Type.Optional(Day('Created on this day or later, in UTC')),
  to: Type.Optional(Day('Created on this day or earlier, in UTC')),
})
export type OrderQuery = Static<typeof OrderQuery>
export const OrderParams = Type.Object({ id: Uuid })

export const OrderBooks = Type.Object({
  entries: Type.Array(
    Type.Object({
      id: Type.Integer(),
      kind: Type.String({
        enum: ['payment', 'cash', 'override', 'write_off', 'refund', 'misc_refund', 'dispute'],
      }),
      amount_in_cents: Type.Integer({ description: 'Negative for a refund' }),
      provider: Type.String(),
      reference: Type.String({ description: 'Reference at the provider' }),
      reason: Nullable(Type.String()),
      actor_id: Nullable(Uuid),
      actor_email: Nullable(Type.String()),
      created_at: Timestamp,
    }),
  ),
  attempts: Type.Array(
    Type.Object({
      id: Uuid,
      round: Type.Integer({ description: 'The checkout of the order that it belongs to' }),
      method: Type.String(),
      provider: Type.String(),
      reference: Nullable(Type.String()),
      amount_in_cents: Type.Integer(),
      status: Type.String({ enum: ['open', 'closed'] }),
      close_reason: Type.Optional(PaymentCloseReason),
      late_order_id: Nullable(Uuid),
      seen_at: Nullable(Timestamp),
      expires_at: Timestamp,
      created_at: Timestamp,
    }),
  ),
})
