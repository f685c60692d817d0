import { displayFormat, parseTonedEmojiId, rhythmScore } from '@emojid/core'
import { invalidRequest, refusal, refusalIn } from '../../../platform/errors.ts'
import type { Offer } from '../../directory/catalog/catalog.ts'
import { readEmojiId } from '../../directory/emoji-ids/emoji-ids.ts'
import { type LoadedOrder, notPending, type Order, type OrderItem } from '../orders/orders.ts'
import type { NewItems } from './routes.ts'

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
