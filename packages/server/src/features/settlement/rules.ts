import { ServiceError } from '../../platform/errors.ts'
import type { PaymentState } from '../../platform/payments/gateway.ts'
import { type Order, type OrderItem, shortfallForgiven } from '../orders/index.ts'
import type { Attempt } from '../payments/index.ts'

/** How long money that was seen may take to arrive for good, once for every checkout. */
const settlementMs = 24 * 60 * 60_000

export const settlementDeadline = ({ held_until }: Pick<Order, 'held_until'>): Date =>
  new Date((held_until?.getTime() ?? 0) + settlementMs)

/** Less than half of the price keeps nobody else waiting. */
export const isSerious = (seen: number, total: number): boolean => seen > 0 && seen * 2 >= total

/** Whether all that an attempt asks for is here or on its way. */
export const isSeenInFull = (
  { amount_in_cents, provider }: Pick<Attempt, 'amount_in_cents' | 'provider'>,
  { seen_in_cents }: PaymentState,
): boolean => seen_in_cents >= amount_in_cents - shortfallForgiven(amount_in_cents, provider)

/** Whether anything costs more now than in an order, or is not sold any more. */
export const hasRisen = (
  items: readonly Pick<OrderItem, 'emoji_id' | 'lootbox_id' | 'unit_price_in_cents'>[],
  prices: ReadonlyMap<string, number | null>,
): boolean =>
  items.some(({ emoji_id, lootbox_id, unit_price_in_cents }) => {
    const name = emoji_id ?? lootbox_id
    if (name === null) return false
    const price = prices.get(name) ?? null
    return price === null || price > unit_price_in_cents
  })

export class PaymentUnderWayError extends ServiceError {
  override readonly name = 'Settlement.PaymentUnderWayError'
  constructor() {
    super('refused', 'payment_under_way', 'Money for this order is on its way or has arrived.')
  }
}
