import { isLoopback } from '@emojid/core'
import { duplicate, inField, refusal, refusalIn } from '../../../platform/errors.ts'
import type { Offer } from '../../directory/catalog/catalog.ts'
import { type User, unconfirmedEmail } from '../../identity/accounts/accounts.ts'
import { type FeePercents, pricedAt } from '../carts/carts.ts'
import {
  isBox,
  isId,
  type LoadedOrder,
  netPriceOf,
  type OrderItem,
  priceOfItem,
} from '../orders/orders.ts'
import type { CheckoutRequest } from './routes.ts'

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
