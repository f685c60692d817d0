import { refusal } from '../../../platform/errors.ts'
import type { PaymentObject } from '../../../platform/payments/gateway.ts'
import { dayMs } from '../../../platform/time.ts'
import { mayBecomeMinted } from '../../directory/emoji-ids/emoji-ids.ts'
import { missingScope, type Principal, scopesOfMember } from '../../operations/access/access.ts'
import { type DisputeRow, isUnsettled, type Sums, sumsOf } from '../ledger/ledger.ts'
import type { Attempt, LoadedOrder, Order, OrderItem } from './repository.ts'
import type {
  DisplayOrder,
  OrderQuery,
  PaymentMethodData,
  RefundObstacle,
  Sale,
  Status,
} from './schema.ts'

/** The status transitions of an order. Each is one conditional update. */
const mayBecome: Record<Status, readonly Status[]> = {
  Draft: ['PendingPayment'],
  PendingPayment: ['Draft', 'Paid', 'Cancelled'],
  Paid: [],
  Cancelled: [],
}

export function assertMayBecome(from: Status, to: Status): void {
  if (!mayBecome[from].includes(to)) throw new Error(`An order cannot go from ${from} to ${to}`)
}

type PricedItem = Pick<
  OrderItem,
  'quantity' | 'unit_price_in_cents' | 'client_fee_in_cents' | 'company_fee_in_cents'
>

export const priceOfItem = (item: PricedItem): number =>
  item.quantity * (item.unit_price_in_cents + item.client_fee_in_cents + item.company_fee_in_cents)

type TotalledItem = PricedItem & Pick<OrderItem, 'id' | 'parent_id' | 'marked_invalid_at'>

/** The total of an order. Invalid items and their discounts do not count. */
export function totalOf(items: readonly TotalledItem[]): number {
  const invalid = new Set(items.filter((item) => item.marked_invalid_at).map(({ id }) => id))
  const total = items
    .filter(({ id, parent_id }) => !invalid.has(id) && !invalid.has(parent_id ?? ''))
    .reduce((sum, item) => sum + priceOfItem(item), 0)
  return Math.max(0, total)
}

/** The price of an item after its discounts. */
export const netPriceOf = (item: OrderItem, items: readonly OrderItem[]): number =>
  [item, ...items.filter(({ parent_id }) => parent_id === item.id)].reduce(
    (sum, part) => sum + priceOfItem(part),
    0,
  )

/** The partner's fee on an item after its discounts. */
export const clientFeeLeftOf = (item: OrderItem, items: readonly OrderItem[]): number =>
  items
    .filter(({ parent_id }) => parent_id === item.id)
    .reduce((fee, cut) => Math.max(0, fee - cut.client_fee_cut_in_cents), item.client_fee_in_cents)

/**
 * The part of a further discount that comes off the partner's fee: all of it for a partner's code,
 * else the fee's share in the price.
 */
function clientFeeCutOf(
  cents: number,
  item: OrderItem,
  items: readonly OrderItem[],
  isPartners: boolean,
): number {
  const [fee, price] = [clientFeeLeftOf(item, items), netPriceOf(item, items)]
  return isPartners ? Math.min(cents, fee) : fee - shareOf(fee, price - cents, price)
}

export type Discount = { item_id: string; cents: number }

/** The rows of discounts on items of an order. */
export const discountItems = (
  { id: order_id, items }: LoadedOrder,
  discounts: readonly Discount[],
  code: { id: string; limited_to_fee: boolean } | null,
  at: Date,
) =>
  discounts.map(({ item_id, cents }) => {
    const item = items.find(({ id }) => id === item_id)
    const isPartners = code?.limited_to_fee === true
    return {
      order_id,
      item_type: 'Discount' as const,
      parent_id: item_id,
      code_id: code?.id ?? null,
      unit_price_in_cents: -cents,
      client_fee_cut_in_cents: item ? clientFeeCutOf(cents, item, items, isPartners) : 0,
      created_at: at,
      updated_at: at,
      emoji_id: null,
      display_format: null,
      rhythm_score: null,
      marked_invalid_at: null,
      marked_invalid_at_reason: null,
    }
  })

/** The proportional share of an amount, rounded down. */
function shareOf(amount: number, part: number, whole: number): number {
  if (part >= whole) return amount
  // The product of two amounts may exceed the safe integers.
  return part <= 0 ? 0 : Number((BigInt(amount) * BigInt(part)) / BigInt(whole))
}

export const dueOf = (order: LoadedOrder): number =>
  Math.max(0, totalOf(order.items) - sumsOf(order).received)

export const withEntries = (
  order: LoadedOrder,
  entries: readonly LoadedOrder['entries'][number][],
): LoadedOrder => ({ ...order, entries: [...order.entries, ...entries] })

/** Whether a bank has not decided about money of the order, or an operator about its ids. */
export const isDisputed = ({ disputes }: LoadedOrder): boolean => disputes.some(isUnsettled)

export const orderNumber = ({ id }: Pick<Order, 'id'>): string => id.slice(-8)

export const isId = <Item extends OrderItem>(
  item: Item,
): item is Item & { emoji_id: string; display_format: string } => item.item_type === 'EmojiId'

export const isBox = <Item extends OrderItem>(item: Item): item is Item & { lootbox_id: string } =>
  item.item_type === 'LootBox'

/**
 * Exchange rates change while money is pending: cryptocurrency short by 1 % is enough. Rounded up,
 * because the received amount was rounded down and no buyer should owe parts of a cent.
 */
export function shortfallForgiven(total: number, provider: 'card' | 'crypto'): number {
  return provider === 'crypto' ? Math.ceil(total / 100) : 0
}

const refundMs = 14 * dayMs

/** When an id can be bought again after a refund or a lost dispute. */
export const coolingEnd = (now: Date): Date => new Date(now.getTime() + dayMs)

/** Whether the refund period has not ended. */
export const isRefundTime = ({ paid_at }: Pick<Order, 'paid_at'>, now: Date): boolean =>
  paid_at !== null && now.getTime() - paid_at.getTime() <= refundMs

export const isLapsed = ({ status, expires_at }: Order, now: Date): boolean =>
  status === 'PendingPayment' && expires_at !== null && expires_at <= now

/** The order at the time its payment was requested; a late payment buys this. */
export type Snapshot = {
  pubkey: string | null
  organization_id: string | null
  items: (Omit<PricedItem, 'quantity'> &
    Pick<OrderItem, 'client_fee_cut_in_cents' | 'bears_client_fee'> & {
      id: string
      parent_id: string | null
      item_type: OrderItem['item_type']
      emoji_id: string | null
      lootbox_id: string | null
      display_format: string | null
      code_id: string | null
      rhythm_score: number | null
    })[]
}

export const snapshotOf = ({ pubkey, organization_id, items }: LoadedOrder): Snapshot => ({
  pubkey,
  organization_id,
  items: items.map((item) => ({
    id: item.id,
    parent_id: item.parent_id,
    item_type: item.item_type,
    emoji_id: item.emoji_id,
    lootbox_id: item.lootbox_id,
    display_format: item.display_format,
    code_id: item.code_id,
    rhythm_score: item.rhythm_score,
    unit_price_in_cents: item.unit_price_in_cents,
    client_fee_in_cents: item.client_fee_in_cents,
    company_fee_in_cents: item.company_fee_in_cents,
    client_fee_cut_in_cents: item.client_fee_cut_in_cents,
    bears_client_fee: item.bears_client_fee,
  })),
})

/** The owner of an id or a box, and the order it was bought with. */
type Owner = { user_id: string | null; order_id: string | null }

type OrderParts = {
  order: LoadedOrder
  sums: Sums
  user: DisplayOrder['user']
  /** The provider's object of the attempt that can still be paid. */
  object: PaymentObject | undefined
  /** The promo codes of the order. */
  applied: readonly { code_id: string; name: string }[]
  owners: ReadonlyMap<string, Owner & { minted: boolean; signed_until: Date | null }>
  boxOwners: ReadonlyMap<string, Owner & { opened: boolean }>
  now: Date
}

/** Why an id or a box cannot be refunded, if so. */
function refundObstacleOf(
  item: OrderItem,
  { order, sums, owners, boxOwners, now }: OrderParts,
): RefundObstacle | null {
  const [id, box] = [owners.get(item.emoji_id ?? ''), boxOwners.get(item.lootbox_id ?? '')]
  if (order.paid_at === null) return 'not_paid'
  if (item.refunded_quantity > 0) return 'refunded'
  if (isDisputed(order)) return 'disputed'
  const owner = id ?? box
  if (owner?.user_id !== order.user_id || owner.order_id !== order.id) return 'not_owned'
  if (id?.minted) return 'minted'
  if (id && mayBecomeMinted(id, now)) return 'signature_live'
  if (box?.opened) return 'opened'
  if (!isRefundTime(order, now)) return 'too_late'
  return sums.refundable > 0 ? null : 'no_money'
}

/** The attempt of an order that can still be paid. */
export const openAttemptOf = ({ id, attempts }: LoadedOrder): Attempt | undefined =>
  attempts.find(({ order_id, status }) => order_id === id && status === 'open')

/** The payment details of the open attempt, or how the order was paid. */
function paymentOf({ order, object, sums, now }: OrderParts) {
  if (order.status === 'Paid') {
    const attempt = order.attempts.find(({ id }) => id === sums.paid_by)
    return attempt ? paidDataOf(attempt) : null
  }
  if (order.status !== 'PendingPayment' || isLapsed(order, now)) return null
  const attempt = openAttemptOf(order)
  return attempt && object ? dataOf(attempt, object) : null
}

/** The provider's checkout pages are sessions; a saved card is charged without one. */
const isSessionOf = ({ method, success_url, payment_method }: Attempt): boolean =>
  method !== 'CryptoCommerce' && success_url !== null && payment_method === null

/** The payment details of an open attempt. */
function dataOf(attempt: Attempt, object: PaymentObject): PaymentMethodData {
  const { method, cancel_url, success_url } = attempt
  const { reference, client_secret, checkout_url, methods } = object
  const isCrypto = method === 'CryptoCommerce'
  const isSession = isSessionOf(attempt)
  return {
    method: isCrypto ? 'CryptoCommerce' : 'CardCheckout',
    methods,
    checkout_url,
    cancel_url,
    success_url,
    client_secret: isCrypto || isSession ? '' : client_secret,
    payment_intent_id: isCrypto || isSession ? '' : reference,
    invoice_id: isCrypto ? reference : null,
    session_id: isSession ? reference : null,
  }
}

/** How a Paid order was paid, without payment secrets. */
function paidDataOf(attempt: Attempt): PaymentMethodData {
  const { method, reference, cancel_url, success_url } = attempt
  const isCrypto = method === 'CryptoCommerce'
  const isSession = isSessionOf(attempt)
  return {
    method: isCrypto ? 'CryptoCommerce' : 'CardCheckout',
    methods: attempt.methods as PaymentMethodData['methods'],
    client_secret: '',
    payment_intent_id: isCrypto || isSession ? '' : (reference ?? ''),
    cancel_url,
    success_url,
    invoice_id: isCrypto ? reference : null,
    session_id: isSession ? reference : null,
  }
}

/** Whether an attempt belongs to the current checkout. */
export const isOfCheckout = ({ id, round }: Order, attempt: Attempt): boolean =>
  attempt.order_id === id && attempt.round === round

/** Whether money for the current checkout arrived or is pending, not counting one attempt. */
export const isMoneySeen = (order: LoadedOrder, except?: string): boolean =>
  order.attempts.some(
    (attempt) => isOfCheckout(order, attempt) && attempt.seen_at !== null && attempt.id !== except,
  )

/** Why the last attempt was closed: in the current checkout, or of the one whose late money made the order. */
const closeReasonOf = (order: LoadedOrder) =>
  order.attempts.findLast((one) => isOfCheckout(order, one) || one.late_order_id === order.id)
    ?.close_reason ?? null

/** The public view of an order. */
export function display(displayed: OrderParts): DisplayOrder {
  const { order, sums, user, applied, now } = displayed
  const { items } = order
  const total = totalOf(items)
  const order_items = items.map((item) => ({
    ...item,
    main_id: item.lootbox_id,
    main_table: isBox(item) ? 'lootboxes' : null,
    ...(isId(item) || isBox(item) ? { refund_obstacle: refundObstacleOf(item, displayed) } : {}),
  }))
  return {
    id: order.id,
    order_number: orderNumber(order),
    status: order.status,
    created_at: order.created_at,
    updated_at: order.updated_at,
    user_id: order.user_id,
    user,
    organization_id: order.organization_id,
    total_in_cents: total,
    amount_overpaid_in_cents: Math.max(0, sums.received - total),
    misc_refunded_total_in_cents: sums.misc_paid_out,
    refunded_total_in_cents: sums.refunded,
    remaining_due_in_cents: order.status === 'Cancelled' ? 0 : dueOf(order),
    eligible_for_refund: order_items.some(({ refund_obstacle }) => refund_obstacle === null),
    order_items,
    expires_at: order.expires_at,
    paid_at: order.paid_at,
    seconds_until_expiry: order.expires_at && secondsUntil(order.expires_at, now),
    payment_method_data: paymentOf(displayed),
    payment_under_way: order.status === 'PendingPayment' && isMoneySeen(order),
    applied_codes: applied.map(({ code_id, name }) => ({
      code_id,
      name,
      discount_in_cents: discountBy(code_id, items),
    })),
    payment_close_reason: order.status === 'Paid' ? null : closeReasonOf(order),
    refund_requested_at: order.refund_requested_at,
    refund_answered_at: order.refund_answered_at,
    refund_declined: order.refund_declined,
    dispute: newestOf(order.disputes),
    disputed_total_in_cents: sums.disputed,
  }
}

const discountBy = (code_id: string, items: readonly OrderItem[]): number =>
  0 - totalPriceOf(items.filter((item) => item.code_id === code_id))

const totalPriceOf = (items: readonly OrderItem[]): number =>
  items.reduce((sum, item) => sum + priceOfItem(item), 0)

/**
 * The partner's fee of an order: on items not refunded, as far as the buyer's money arrived and
 * stayed. `sumSales` computes the same in SQL.
 */
function clientFeeOf({ status, items }: LoadedOrder, sums: Sums): number {
  if (status !== 'Paid') return 0
  const keptItems = items.filter(
    ({ parent_id, refunded_quantity }) => parent_id === null && refunded_quantity === 0,
  )
  const fee = keptItems.reduce((sum, item) => sum + clientFeeLeftOf(item, items), 0)
  const price = keptItems.reduce((sum, item) => sum + netPriceOf(item, items), 0)
  return shareOf(fee, sums.paid - sums.refunded - sums.misc_refunded - sums.disputed, price)
}

/**
 * The partner's view of an order in its flow. Members are listed explicitly: none reveals the
 * buyer, the payment, the buyer's texts or codes.
 */
export function saleOf(order: LoadedOrder): Sale {
  const { items } = order
  const sums = sumsOf(order)
  return {
    id: order.id,
    order_number: orderNumber(order),
    status: order.status,
    created_at: order.created_at,
    updated_at: order.updated_at,
    paid_at: order.paid_at,
    organization_id: order.organization_id,
    total_in_cents: totalOf(items),
    refunded_total_in_cents: sums.refunded,
    disputed_total_in_cents: sums.disputed,
    client_fee_in_cents: clientFeeOf(order, sums),
    order_items: items.map((item) => ({
      id: item.id,
      order_id: item.order_id,
      parent_id: item.parent_id,
      item_type: item.item_type,
      emoji_id: item.emoji_id,
      rhythm_score: item.rhythm_score,
      quantity: item.quantity,
      refunded_quantity: item.refunded_quantity,
      unit_price_in_cents: item.unit_price_in_cents,
      client_fee_in_cents: item.client_fee_in_cents,
      company_fee_in_cents: item.company_fee_in_cents,
      created_at: item.created_at,
      updated_at: item.updated_at,
      code_id: null,
      main_id: null,
      main_table: null,
      marked_invalid_at: null,
      marked_invalid_at_reason: null,
    })),
  }
}

/**
 * A power role sees the sales of its organization. Filters that reveal a buyer are for operators.
 * No API key scope replaces the role.
 */
export function assertMayListSales(caller: Principal, query: OrderQuery): void {
  const { organization_id = '', refund_requested, refund_request } = query
  const role = caller.memberships.get(organization_id)
  const hasPower = role !== undefined && scopesOfMember(role).has('organizationCode:admin')
  const isAboutBuyers = refund_requested !== undefined || refund_request !== undefined
  if (caller.kind !== 'session' || !hasPower || isAboutBuyers) {
    throw missingScope(['order:read'])
  }
}

/** The most relevant dispute: an open one, else the newest. */
function newestOf(disputes: readonly DisputeRow[]): NonNullable<DisplayOrder['dispute']> | null {
  const dispute = disputes.findLast(isUnsettled) ?? disputes.at(-1)
  if (!dispute) return null
  const { status, amount_in_cents, opened_at, closed_at } = dispute
  return { status, amount_in_cents, opened_at, closed_at, frozen: isUnsettled(dispute) }
}

/** Operators may not act on their own orders. */
export function assertNotOwn({ user_id }: Principal, order: Order): void {
  if (order.user_id === user_id) throw ownOrder()
}

const secondsUntil = (end: Date, now: Date): number =>
  Math.max(0, Math.ceil((end.getTime() - now.getTime()) / 1_000))

export const unknownOrder = () =>
  refusal('not_found', 'unknown_order', 'This order does not exist.')

export const pendingOrder = () =>
  refusal(
    'refused',
    'pending_order',
    'An order of this account is waiting for its payment. Finish or cancel it first.',
  )

const ownOrder = () =>
  refusal(
    'forbidden',
    'own_order',
    'Operators can’t do this for their own order. Ask another operator.',
  )

export const notPending = (message = 'This order is not waiting for a payment.') =>
  refusal('refused', 'not_pending', message)

export const notPaid = () => refusal('refused', 'not_paid', 'This order is not paid.')
