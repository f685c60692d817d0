import { ServiceError } from '../../platform/errors.ts'
import type { Order } from '../orders/index.ts'

/** How long money that was seen may take to arrive for good, once for every checkout. */
const settlementMs = 24 * 60 * 60_000

export const settlementDeadline = ({ held_until }: Pick<Order, 'held_until'>): Date =>
  new Date((held_until?.getTime() ?? 0) + settlementMs)

/** Less than half of the price keeps nobody else waiting. */
export const isSerious = (seen: number, total: number): boolean => seen > 0 && seen * 2 >= total

export class PaymentUnderWayError extends ServiceError {
  override readonly name = 'Settlement.PaymentUnderWayError'
  constructor() {
    super('refused', 'payment_under_way', 'Money for this order is on its way or has arrived.')
  }
}
