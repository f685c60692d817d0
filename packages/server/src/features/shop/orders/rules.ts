import { refusal } from '../../../platform/errors.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'
import { mayBecomeMinted } from '../../directory/emoji-ids/emoji-ids.ts'
import { missingScope, type Principal, scopesOfMember } from '../../operations/access/index.ts'
import { type DisputeRow, isUnsettled, type Sums } from '../ledger/ledger.ts'
import type { CloseReason } from '../payments/payments.ts'
import type { LoadedOrder, Order, OrderItem } from './repository.ts'
import type { DisplayOrder, OrderQuery, RefundObstacle, Sale, Status } from './schema.ts'

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
export function clientFeeCutOf(
  cents: number,
  item: OrderItem,
  items: readonly OrderItem[],
  isPartners: boolean,
): number {
  const [fee, price] = [clientFeeLeftOf(item, items), netPriceOf(item, items)]
  return isPartners ? Math.min(cents, fee) : fee - shareOf(fee, price - cents, price)
}

/** The proportional share of an amount, rounded down. */
function shareOf(amount: number, part: number, whole: number): number {
  if (part >= whole) return amount
  // The product of two amounts may exceed the safe integers.
  return part <= 0 ? 0 : Number((BigInt(amount) * BigInt(part)) / BigInt(whole))
}

/** The codes of the discounts of an order and their numbers of ids, in a stable order. */
export function codeUsesOf(items: readonly Pick<OrderItem, 'code_id'>[]) {
  const emojis = new Map<string, number>()
  for (const { code_id } of items) {
    if (code_id !== null) emojis.set(code_id, (emojis.get(code_id) ?? 0) + 1)
  }
  return [...emojis]
    .map(([code_id, count]) => ({ code_id, emojis: count }))
    .sort((a, b) => (a.code_id < b.code_id ? -1 : 1))
}

export const dueOf = (items: readonly TotalledItem[], { received }: Sums): number =>
  Math.max(0, totalOf(items) - received)

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

/** The hold limit: how long per day an account may block an id without paying. */
const unpaidHoldMs = 15 * minuteMs
/** A shorter hold leaves no time to pay, so the checkout is refused. */
const shortestHoldMs = minuteMs

export type HoldTime = { held: string; began_at: Date; ended_at: Date }

/** Holds that ended before this no longer count. */
export const holdsCountedSince = (now: Date): Date => new Date(now.getTime() - dayMs)

/**
 * The latest end of a hold that begins now. A configured hold longer than the limit is possible
 * once a day.
 */
export function holdEndWithin(times: readonly HoldTime[], holdEnd: Date, now: Date): Date {
  const wantedMs = holdEnd.getTime() - now.getTime()
  const limitMs = Math.max(unpaidHoldMs, wantedMs)
  const shortestMs = Math.min(shortestHoldMs, wantedMs)
  let end = holdEnd.getTime()
  const refusals = new Map<string, Date>()
  for (const heldId of new Set(times.map((time) => time.held))) {
    const ofThis = times.filter((time) => time.held === heldId)
    const leftMs = limitMs - unpaidMsOf(ofThis, now)
    if (leftMs < shortestMs) refusals.set(heldId, whenLeft(ofThis, limitMs - shortestMs))
    end = Math.min(end, now.getTime() + leftMs)
  }
  if (refusals.size > 0) throw holdLimit(refusals)
  return new Date(end)
}

function unpaidMsOf(times: readonly HoldTime[], now: Date): number {
  const since = now.getTime() - dayMs
  return times.reduce((sum, { began_at, ended_at }) => {
    const from = Math.max(began_at.getTime(), since)
    const to = Math.min(ended_at.getTime(), now.getTime())
    return sum + Math.max(0, to - from)
  }, 0)
}

/** When these holds will use no more than this much of the preceding day. */
function whenLeft(times: readonly HoldTime[], mostMs: number): Date {
  let laterMs = 0
  for (const { began_at, ended_at } of times.toReversed()) {
    const lengthMs = ended_at.getTime() - began_at.getTime()
    if (laterMs + lengthMs > mostMs) {
      return new Date(ended_at.getTime() - (mostMs - laterMs) + dayMs)
    }
    laterMs += lengthMs
  }
  return new Date(0)
}

/** The order at the time its payment was requested; a late payment buys this. */
export type Snapshot = {
  pubkey: string | null
  organization_id: string | null
  items: (Omit<PricedItem, 'quantity'> &
    // Snapshots of earlier releases lack these members.
    Partial<Pick<OrderItem, 'client_fee_cut_in_cents' | 'bears_client_fee'>> & {
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
  order: Order
  items: readonly OrderItem[]
  sums: Sums
  user: DisplayOrder['user']
  payment: DisplayOrder['payment_method_data']
  paidBy: DisplayOrder['payment_method_data']
  /** Whether money arrived or is pending for its current checkout. */
  closeReason: CloseReason | null
  isMoneySeen: boolean
  /** The promo codes of the order. */
  applied: readonly { code_id: string; name: string }[]
  owners: ReadonlyMap<string, Owner & { minted: boolean; signed_until: Date | null }>
  boxOwners: ReadonlyMap<string, Owner & { opened: boolean }>
  disputes: readonly DisputeRow[]
  now: Date
}

type RefundContext = Pick<
  OrderParts,
  'order' | 'sums' | 'owners' | 'boxOwners' | 'disputes' | 'now'
>

/** Why an id or a box cannot be refunded, if so. */
function refundObstacleOf(
  item: OrderItem,
  { order, sums, owners, boxOwners, disputes, now }: RefundContext,
): RefundObstacle | null {
  const [id, box] = [owners.get(item.emoji_id ?? ''), boxOwners.get(item.lootbox_id ?? '')]
  if (order.paid_at === null) return 'not_paid'
  if (item.refunded_quantity > 0) return 'refunded'
  if (disputes.some(isUnsettled)) return 'disputed'
  const owner = id ?? box
  if (owner?.user_id !== order.user_id || owner.order_id !== order.id) return 'not_owned'
  if (id?.minted) return 'minted'
  if (id && mayBecomeMinted(id, now)) return 'signature_live'
  if (box?.opened) return 'opened'
  if (!isRefundTime(order, now)) return 'too_late'
  return sums.refundable > 0 ? null : 'no_money'
}

function paymentOf({ order, payment, paidBy, now }: OrderParts) {
  if (order.status === 'Paid') return paidBy
  return order.status === 'PendingPayment' && !isLapsed(order, now) ? payment : null
}

/** The public view of an order. */
export function display(displayed: OrderParts): DisplayOrder {
  const { order, items, sums, user, isMoneySeen, applied, now } = displayed
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
    remaining_due_in_cents: order.status === 'Cancelled' ? 0 : dueOf(items, sums),
    eligible_for_refund: order_items.some(({ refund_obstacle }) => refund_obstacle === null),
    order_items,
    expires_at: order.expires_at,
    paid_at: order.paid_at,
    seconds_until_expiry: order.expires_at && secondsUntil(order.expires_at, now),
    payment_method_data: paymentOf(displayed),
    payment_under_way: order.status === 'PendingPayment' && isMoneySeen,
    applied_codes: applied.map(({ code_id, name }) => ({
      code_id,
      name,
      discount_in_cents: discountBy(code_id, items),
    })),
    payment_close_reason: order.status === 'Paid' ? null : displayed.closeReason,
    refund_requested_at: order.refund_requested_at,
    refund_answered_at: order.refund_answered_at,
    refund_declined: order.refund_declined,
    dispute: newestOf(displayed.disputes),
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
function clientFeeOf(order: Order, items: readonly OrderItem[], sums: Sums): number {
  if (order.status !== 'Paid') return 0
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
export function saleOf(order: Order, items: readonly OrderItem[], sums: Sums): Sale {
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
    client_fee_in_cents: clientFeeOf(order, items, sums),
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

const uuid = /^[0-9a-f-]{36}$/

const holdLimit = (refusals: ReadonlyMap<string, Date>) => {
  const fields: Record<string, { code: string; message: string }[]> = {}
  const messages = [...refusals].map(([heldId, at]) => {
    const isBox = uuid.test(heldId)
    const field = isBox ? 'lootbox_id' : 'eid'
    const message = `You held ${isBox ? 'lootbox ' : ''}${heldId} too long without paying. You can check it out again from ${at.toISOString()}.`
    fields[field] = [...(fields[field] ?? []), { code: 'hold_limit', message }]
    return message
  })
  const [possible_at] = [...refusals.values()].toSorted((a, b) => b.getTime() - a.getTime())
  const extra = { possible_at: (possible_at as Date).toISOString() }
  return refusal('refused', 'hold_limit', messages.join(' '), { fields, extra })
}

const ownOrder = () =>
  refusal(
    'forbidden',
    'own_order',
    'Operators can’t do this for their own order. Ask another operator.',
  )

export const notPending = (message = 'This order is not waiting for a payment.') =>
  refusal('refused', 'not_pending', message)

export const notPaid = () => refusal('refused', 'not_paid', 'This order is not paid.')
