import { displayFormat, isLoopback, parseTonedEmojiId, rhythmScore } from '@emojid/core'
import { duplicate, inField, invalidRequest, refusal, refusalIn } from '../../../platform/errors.ts'
import type { DeclineReason, PaymentState } from '../../../platform/payments/gateway.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'
import type { Offer } from '../../directory/catalog/catalog.ts'
import { readEmojiId } from '../../directory/emoji-ids/emoji-ids.ts'
import { type User, unconfirmedEmail } from '../../identity/accounts/accounts.ts'
import { sumsOf } from '../ledger/ledger.ts'
import {
  type CloseReason,
  type discountItems,
  isBox,
  isId,
  isLapsed,
  isMoneySeen,
  isOfCheckout,
  type LoadedOrder,
  netPriceOf,
  notPending,
  type Order,
  type OrderItem,
  type Provider,
  type ProviderMethod,
  priceOfItem,
  shortfallForgiven,
  totalOf,
} from '../orders/orders.ts'
import type { Attempt } from './repository.ts'
import type { CheckoutRequest, NewItems } from './routes.ts'

const itemsAtMost = 100
/** Boxes are few, and a checkout blocks them for all other buyers. */
const boxesAtMost = 5
const trackingDataAtMost = 10_000

/** The fees of the partner and the company, in percent. */
export type FeePercents = { client: number; company: number }

const feeOn = (price: number, percent: number): number => Math.floor((price * percent) / 100)

/** The fees on an item. Items added before the partner's flow bear no partner fee. */
export const feesOn = (
  { bears_client_fee }: Pick<OrderItem, 'bears_client_fee'>,
  fees: FeePercents,
): FeePercents => (bears_client_fee ? fees : { ...fees, client: 0 })

/** A new cart item at the current price. */
export function newItem(text: string, offer: Offer, fees: FeePercents, at: Date) {
  const { id, tones } = parseTonedEmojiId(text)
  return {
    item_type: 'EmojiId' as const,
    emoji_id: id,
    display_format: displayFormat(id, tones),
    parent_id: null,
    code_id: null,
    rhythm_score: rhythmScore(id),
    ...pricedAt(offer.price ?? 0, fees),
    ...markOf(offer, at),
    created_at: at,
    updated_at: at,
  }
}

/** A new cart item for an unopened box. */
export function newBoxItem(lootbox_id: string, offer: Offer, fees: FeePercents, at: Date) {
  return {
    item_type: 'LootBox' as const,
    lootbox_id,
    emoji_id: null,
    display_format: null,
    parent_id: null,
    code_id: null,
    rhythm_score: null,
    ...pricedAt(offer.price ?? 0, fees),
    ...markOf(offer, at),
    created_at: at,
    updated_at: at,
  }
}

/** Reads the id or box; an id keeps its typed form. */
export function readItem({ emoji_id, lootbox_id }: NewItems['items'][number]) {
  if (emoji_id !== undefined && lootbox_id === undefined) {
    return { id: readEmojiId(emoji_id) as string, text: emoji_id }
  }
  if (emoji_id !== undefined || lootbox_id === undefined) throw itemError()
  return { id: lootbox_id, text: null }
}

export const pricedAt = (price: number, fees: FeePercents) => ({
  unit_price_in_cents: price,
  client_fee_in_cents: feeOn(price, fees.client),
  company_fee_in_cents: feeOn(price, fees.company),
})

/**
 * A cart stays with its first partner until it is empty, so no partner takes over the sale of
 * another.
 */
export const partnerOf = (
  { items, organization_id }: LoadedOrder,
  path: string | null,
): string | null => (items.length === 0 ? path : (organization_id ?? path))

/** Unavailable ids stay in the cart, marked. */
export function markOf({ availability }: Offer, at: Date) {
  const reason =
    availability === 'Taken' ? 'Taken' : availability === 'InCart' ? 'PendingPurchase' : null
  return { marked_invalid_at: reason && at, marked_invalid_at_reason: reason } as const
}

/** Boxes have no text. */
type WantedItem = { id: string; text: string | null; offer: Offer }

export function assertAddable(
  items: readonly WantedItem[],
  present: readonly Pick<OrderItem, 'emoji_id' | 'lootbox_id'>[],
): void {
  const knownItems = new Set(present.map(({ emoji_id, lootbox_id }) => emoji_id ?? lootbox_id))
  for (const item of items) {
    if (knownItems.has(item.id)) throw alreadyInCart(item)
    knownItems.add(item.id)
    if (['ComingSoon', 'NoPrice'].includes(item.offer.availability)) throw notForSale(item)
  }
  if (knownItems.size > itemsAtMost) throw fullCart()
}

export function assertFewBoxes(
  items: readonly { text: string | null }[],
  present: readonly Pick<OrderItem, 'lootbox_id'>[],
): void {
  const addedItems = items.filter(({ text }) => text === null)
  const inCart = present.filter(({ lootbox_id }) => lootbox_id !== null)
  if (addedItems.length > 0 && addedItems.length + inCart.length > boxesAtMost) throw tooManyBoxes()
}

export function assertEditable({ status }: Order): void {
  if (status !== 'Draft') throw cartLocked()
}

export function readTrackingData(data: unknown): string | undefined {
  if (data === undefined) return undefined
  const text = JSON.stringify(data)
  if (text.length > trackingDataAtMost) throw trackingData()
  return text
}

const fieldOf = ({ text }: WantedItem): string => (text === null ? 'lootbox_id' : 'eid')

const alreadyInCart = (item: WantedItem) =>
  refusalIn(fieldOf(item), 'refused', 'eligibility', `${item.id} is already in the cart.`)

const notForSale = (item: WantedItem) =>
  refusalIn(fieldOf(item), 'refused', 'not_for_sale', `${item.id} is not for sale.`)

const itemError = () => invalidRequest('Every item needs either emoji_id or lootbox_id.')

const fullCart = () => refusal('refused', 'full_cart', `A cart can hold up to ${itemsAtMost} ids.`)

const tooManyBoxes = () =>
  refusalIn(
    'lootbox_id',
    'refused',
    'too_many_boxes',
    `A cart can hold up to ${boxesAtMost} lootboxes.`,
    'too_many',
  )

const cartLocked = () =>
  refusal(
    'refused',
    'cart_locked',
    'This cart is waiting for its payment. Return it to a draft to change it.',
  )

export const alreadyDraft = () =>
  notPending('This cart is not waiting for a payment: it is already a draft.')

export const unknownCartItem = () =>
  refusal('not_found', 'unknown_cart_item', 'This item is not in your cart.')

export const unknownPartner = () =>
  refusalIn('organization_id', 'refused', 'not_a_partner', 'No partner has this id.')

const trackingData = () =>
  refusalIn(
    'tracking_data',
    'refused',
    'too_long',
    `tracking_data can have up to ${trackingDataAtMost} characters of JSON.`,
  )

/** A buyer with an email address has to confirm it first. */
export function assertConfirmed(buyer: User | undefined): asserts buyer is User {
  if (!buyer || buyer.deleted_at) throw unconfirmed()
  if (buyer.email !== null && !buyer.email_verified_at) throw unconfirmed()
}

export function assertPayable({ status, items }: LoadedOrder): void {
  if (status === 'Paid' || status === 'Cancelled') throw closedOrder(status)
  if (items.length === 0) throw emptyCart()
}

/** Both URLs or neither; released clients send null for none. */
export function readUrls({ success_url, cancel_url }: CheckoutRequest) {
  if (!success_url && !cancel_url) return undefined
  if (!success_url || !cancel_url)
    throw urlError('Send both success_url and cancel_url, or neither.')
  for (const url of [success_url, cancel_url]) {
    const parsedUrl = URL.canParse(url) ? new URL(url) : undefined
    const isLocal = isLoopback(parsedUrl?.hostname ?? '')
    if (parsedUrl?.protocol !== 'https:' && !(parsedUrl?.protocol === 'http:' && isLocal)) {
      throw urlError('Send absolute URLs that start with https://.')
    }
  }
  return { success_url, cancel_url }
}

/** Normalised, so that a receipt of cash counts once in every spelling. */
export const cashReference = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** The name of an item in an error, and the request member it belongs to. */
const nameOf = ({ emoji_id, lootbox_id }: OrderItem) =>
  emoji_id === null
    ? ({ id: `Box ${lootbox_id}`, field: 'lootbox_id' } as const)
    : ({ id: emoji_id, field: 'eid' } as const)

export type Problem = ReturnType<typeof nameOf> & {
  code: 'taken' | 'pending_purchase' | 'price_changed'
}

/** Compares an item with the current offer, including fees. A lower price is no problem. */
export function problemOf(item: OrderItem, offer: Offer, fees: FeePercents): Problem | null {
  const name = nameOf(item)
  if (offer.availability === 'InCart') return { ...name, code: 'pending_purchase' }
  if (offer.availability !== 'Available' || offer.price === null) return { ...name, code: 'taken' }
  const priced = pricedAt(offer.price, fees)
  const isDearer = priceOfItem({ quantity: item.quantity, ...priced }) > priceOfItem(item)
  return isDearer ? { ...name, code: 'price_changed' } : null
}

/**
 * The ids that the free allowance has to cover; undefined if one is too expensive, or is a box. The
 * price before promo codes counts.
 */
export function freeItems(items: readonly OrderItem[], ceiling: number) {
  if (items.some(isBox)) return undefined
  const open = items
    .filter(isId)
    .map((item) => ({ item, cents: netPriceOf(item, items) }))
    .filter(({ cents }) => cents > 0)
  return open.every(({ item }) => priceOfItem(item) <= ceiling) ? open : undefined
}

/** Cash may exceed the amount due by this much; the excess is refunded. */
const changeAtMost = 100_00

/** An amount far above the amount due is a typing error. */
export function assertCashAmount(amount: number, due: number): void {
  if (amount > due + Math.max(due, changeAtMost)) throw tooMuchCash()
}

const sentences: Record<Problem['code'], string> = {
  taken: 'is no longer available',
  pending_purchase: 'is being bought by another buyer right now',
  price_changed: 'costs more than when you added it to the cart',
}

export const allTaken = (items: readonly OrderItem[]) =>
  itemsRefused(
    items
      .filter((item) => isId(item) || isBox(item))
      .map((item) => ({ ...nameOf(item), code: 'taken' as const })),
  )

export const itemsRefused = (problems: readonly Problem[]) => {
  const fields: Record<string, { code: string; message: string }[]> = {}
  const messages = problems.map(({ id, field, code }) => {
    const message = `${id} ${sentences[code]}.`
    fields[field] = [...(fields[field] ?? []), { code, message }]
    return message
  })
  return refusal('refused', problems[0]?.code ?? 'taken', messages.join(' '), { fields })
}

const unconfirmed = () =>
  unconfirmedEmail('Confirm your email address first. The link is in your mailbox.')

const closedOrder = (status: 'Paid' | 'Cancelled') =>
  status === 'Paid'
    ? refusal('refused', 'already_paid', 'This order is already paid.')
    : refusal('refused', 'cancelled', 'This order was cancelled.')

const emptyCart = () => refusal('refused', 'empty_cart', 'The cart is empty.')

const urlError = (message: string) =>
  refusal('refused', 'invalid_url', message, inField('success_url', 'invalid', message))

export const savedCardMethod = () =>
  refusalIn(
    'payment_method_id',
    'refused',
    'saved_card_method',
    'payment_method_id is only allowed with the method CardCheckout.',
    'method',
  )

export const missingPayment = () =>
  refusal('refused', 'missing_payment', 'This order is not free. Choose a payment method.')

export const nothingDue = () =>
  refusal('refused', 'nothing_due', 'Nothing is left to pay. Check out with the method Free.')

export const cashDetails = () =>
  refusalIn(
    'amount',
    'refused',
    'missing_cash_details',
    'Cash needs an amount and an external_reference.',
    'missing',
  )

export const cashTaken = () =>
  duplicate('external_reference', 'Cash with this external_reference is already booked.')

const tooMuchCash = () =>
  refusalIn(
    'amount',
    'refused',
    'too_much_cash',
    'This is far more than the amount due. The amount is in cents.',
    'too_much',
  )

/** A row of an item that is only compared. */
export const unsavedItem = (row: ReturnType<typeof discountItems>[number]): OrderItem => ({
  ...row,
  id: '',
  position: 0,
  lootbox_id: null,
  quantity: 1,
  refunded_quantity: 0,
  client_fee_in_cents: 0,
  company_fee_in_cents: 0,
  bears_client_fee: false,
})

/** Whether an item, or the order with its discounts, costs more than before. */
export const isDearer = (before: readonly OrderItem[], after: readonly OrderItem[]): boolean =>
  totalOf(after) > totalOf(before) ||
  after.some((item) => {
    const earlierItem = before.find(({ id }) => id === item.id)
    return earlierItem !== undefined && priceOfItem(item) > priceOfItem(earlierItem)
  })

export const onlyPending = () =>
  notPending('Promo codes apply to carts in checkout. Check out first.')

export const unknownCode = () =>
  refusal('not_found', 'unapplied_code', 'This code is not on your order.')

export const nothingFits = () =>
  refusal('refused', 'nothing_left', 'No id that fits this code is available right now.')

export const heldDraw = () =>
  refusal(
    'refused',
    'held_draw',
    'The id that this code gives you is in a checkout. Finish or cancel yours, or try again in a few minutes.',
  )

export const nothingToTakeOff = () =>
  refusalIn(
    'code',
    'refused',
    'nothing_to_take_off',
    'Nothing is left that this code could discount.',
  )

/** How long seen money may take to be confirmed, once per checkout. */
const settlementMs = dayMs

export const settlementDeadline = ({ held_until }: Pick<Order, 'held_until'>): Date =>
  new Date((held_until?.getTime() ?? 0) + settlementMs)

const smallExcess = 10_000

/**
 * The largest excess in cryptocurrency that is refunded without an operator: the price, or 100
 * dollars.
 */
export const largestExcess = (total: number): number => Math.max(total, smallExcess)

/** Whether money that arrived or is pending covers the price. Less does not extend the hold. */
export const isEnough = (cents: number, total: number, provider: Attempt['provider']): boolean =>
  cents > 0 && cents >= total - shortfallForgiven(total, provider)

/** An attempt as it is under the lock of its order. */
export const attemptOf = ({ attempts }: LoadedOrder, attempt: Attempt): Attempt =>
  attempts.find(({ id }) => id === attempt.id) ?? attempt

export const hasCoins = ({ entries }: LoadedOrder): boolean =>
  entries.some(({ kind, provider }) => kind === 'payment' && provider === 'crypto')

/** Whether another authorization of the checkout is captured. */
export const hasOtherCapture = (order: LoadedOrder, { id, round }: Attempt): boolean =>
  order.attempts.some(
    (other) =>
      other.order_id === order.id &&
      other.round === round &&
      other.id !== id &&
      other.is_capture_manual &&
      other.seen_at !== null,
  )

/**
 * Whether the full amount was seen while the ids were held. Money that vanished, such as a replaced
 * transaction, counts only when it is seen again.
 */
export function isSeenInHold(
  order: LoadedOrder,
  attempt: Attempt,
  state: PaymentState,
  now: Date,
): boolean {
  const isHeld = isOfCheckout(order, attempt) && isHeldNow(order, now)
  return (isHeld || attempt.seen_in_hold) && isSeenInFull(attempt, state)
}

const isHeldNow = (order: LoadedOrder, now: Date): boolean =>
  order.status === 'PendingPayment' && !isLapsed(order, now)

/** Whether the whole amount of an attempt arrived or is pending. */
const isSeenInFull = (
  { amount_in_cents, provider }: Pick<Attempt, 'amount_in_cents' | 'provider'>,
  { seen_in_cents }: PaymentState,
): boolean => seen_in_cents >= amount_in_cents - shortfallForgiven(amount_in_cents, provider)

/** The price is fixed once money arrived or is pending. */
export function assertUnpaid(order: LoadedOrder): void {
  if (sumsOf(order).received > 0 || isMoneySeen(order)) throw pendingPayment()
}

export const pendingPayment = () =>
  refusal('refused', 'pending_payment', 'Money for this order has arrived or is pending.')

const providerOf: Record<ProviderMethod, Provider> = {
  CardCheckout: 'card',
  WalletPay: 'card',
  CryptoCommerce: 'crypto',
}
export const isProviderMethod = (method: string): method is ProviderMethod => method in providerOf

export const providerFor = (method: ProviderMethod): Provider => providerOf[method]

/** In cents: the minimum and maximum of a card charge. */
const payable: Record<Provider, readonly [number, number]> = {
  card: [50, 99_999_999],
  crypto: [1, Number.MAX_SAFE_INTEGER],
}

export function isPayable(method: ProviderMethod, amount_in_cents: number): boolean {
  const [least, most] = payable[providerOf[method]]
  return amount_in_cents >= least && amount_in_cents <= most
}

const namedItems = 5

/** The description that the buyer reads at the provider. */
export function describe({ order_id, snapshot }: Attempt): string {
  const { items } = snapshot as { items: { item_type: string; display_format: string | null }[] }
  const boxes = items.filter(({ item_type }) => item_type === 'LootBox').length
  const names = items.flatMap(({ display_format }) => display_format ?? [])
  if (boxes > 0) names.unshift(boxes === 1 ? 'a lootbox' : `${boxes} lootboxes`)
  const more = names.length - namedItems
  const nameList = names.slice(0, namedItems).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return `Order ${order_id.slice(-8)}: ${nameList}`
}

/** Whether it can no longer be paid. */
export const isOver = ({ status }: PaymentState): boolean =>
  status === 'ended' || status === 'settled'

/**
 * An attempt charges its saved card once. After a decline the buyer chooses another payment method.
 */
export const isSpent = ({ payment_method }: Attempt, { is_declined = false }: PaymentState) =>
  payment_method !== null && is_declined

const lateMoneyMs = 7 * dayMs

/** When to check an attempt again: often while it is open, with a back-off afterwards. */
export function nextCheck(attempt: Attempt, state: PaymentState | undefined, now: Date) {
  const after = (ms: number) => new Date(now.getTime() + ms)
  if (attempt.status === 'open' || !state) return after(minuteMs)
  if (isOver(state) && attempt.provider === 'card') return null
  const age = now.getTime() - attempt.created_at.getTime()
  if (age > lateMoneyMs) return null
  return after(Math.max(minuteMs, age / 4))
}

/** Longer than any call to a provider takes. */
const openingMs = 30_000

/**
 * When to search again for an object that the provider may just be creating; null while the attempt
 * is open.
 */
export function nextSearch({ status, created_at }: Attempt, now: Date): Date | null {
  const isOpening = status === 'closed' && now.getTime() - created_at.getTime() < openingMs
  return isOpening ? new Date(now.getTime() + openingMs) : null
}

const declineSentences: Record<DeclineReason, string> = {
  declined: 'The card was declined and not charged. Choose another payment method.',
  insufficient_funds:
    'The card has insufficient funds and was not charged. Choose another payment method.',
  expired_card: 'The card has expired and was not charged. Choose another payment method.',
}

export const cardDeclined = (reason: DeclineReason) =>
  refusalIn('payment_method_id', 'refused', 'card_declined', declineSentences[reason], reason)

const method = 'payment_method_id'
const releaseRefusals: Record<CloseReason, () => Error> = {
  barred_card: () =>
    refusalIn(
      method,
      'refused',
      'barred_card',
      'We can’t accept this card, and it was not charged. Choose another card, or write to our support.',
    ),
  removed_buyer: () =>
    refusalIn(
      method,
      'refused',
      'removed_buyer',
      'This account can’t buy emoji ids, and the card was not charged.',
    ),
  closed_order: () =>
    refusalIn(
      method,
      'refused',
      'closed_order',
      'This order no longer waits for this payment, and the card was not charged.',
    ),
  risen_price: () =>
    refusalIn(
      method,
      'refused',
      'risen_price',
      'The price has risen meanwhile, and the card was not charged. Check out again.',
    ),
}

export const releasedCard = (reason: CloseReason) => releaseRefusals[reason]()

export const unavailableMethod = (method: string) =>
  refusal('refused', 'unavailable_method', `The payment method ${method} is not available.`)

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
