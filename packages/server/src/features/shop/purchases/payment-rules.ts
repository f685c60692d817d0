import { refusal, refusalIn } from '../../../platform/errors.ts'
import type { DeclineReason, PaymentState } from '../../../platform/payments/gateway.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'
import { sumsOf } from '../ledger/ledger.ts'
import {
  type CloseReason,
  isLapsed,
  isMoneySeen,
  isOfCheckout,
  type LoadedOrder,
  type Order,
  type Provider,
  type ProviderMethod,
  shortfallForgiven,
} from '../orders/orders.ts'
import type { Attempt } from './repository.ts'

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
