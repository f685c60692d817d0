import { displayFormat, isLoopback, parseTonedEmojiId, rhythmScore } from '@emojid/core'
import { duplicate, inField, invalidRequest, refusal, refusalIn } from '../../../platform/errors.ts'
import type { Offer } from '../../directory/catalog/catalog.ts'
import { readEmojiId } from '../../directory/emoji-ids/emoji-ids.ts'
import { type User, unconfirmedEmail } from '../../identity/accounts/accounts.ts'
import {
  type discountItems,
  isBox,
  isId,
  type LoadedOrder,
  netPriceOf,
  notPending,
  type Order,
  type OrderItem,
  priceOfItem,
  totalOf,
} from '../orders/orders.ts'
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
