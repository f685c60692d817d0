import { refusal } from '../../../platform/errors.ts'
import type { PaymentState } from '../../../platform/payments/gateway.ts'
import { dayMs } from '../../../platform/time.ts'
import { type Order, shortfallForgiven } from '../orders/orders.ts'
import type { Attempt } from '../payments/payments.ts'

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

/** Whether the whole amount of an attempt arrived or is pending. */
export const isSeenInFull = (
  { amount_in_cents, provider }: Pick<Attempt, 'amount_in_cents' | 'provider'>,
  { seen_in_cents }: PaymentState,
): boolean => seen_in_cents >= amount_in_cents - shortfallForgiven(amount_in_cents, provider)

export const pendingPayment = () =>
  refusal('refused', 'pending_payment', 'Money for this order has arrived or is pending.')
