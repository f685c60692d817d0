import { ServiceError } from '../../platform/errors.ts'

/** How long money that was seen may take to arrive for good. */
const settlementMs = 24 * 60 * 60_000

export const settlementDeadline = (seen: Date): Date => new Date(seen.getTime() + settlementMs)

export class PaymentUnderWayError extends ServiceError {
  override readonly name = 'Settlement.PaymentUnderWayError'
  constructor() {
    super('refused', 'payment_under_way', 'Money for this order is on its way or has arrived.')
  }
}
