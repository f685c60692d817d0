import type { Transaction } from '../../../tables.ts'
import type { Deps } from './orders.ts'
import type { Order } from './repository.ts'

/** Tells the buyer, and the partner in whose flow the cart was filled. */
export function recordOrderEvent(
  { events }: Pick<Deps, 'events'>,
  trx: Transaction,
  type: 'order.paid' | 'order.refunded',
  { id, user_id, organization_id }: Pick<Order, 'id' | 'user_id' | 'organization_id'>,
  emoji_ids: readonly string[],
): Promise<void> {
  return events.recordEvent(trx, {
    type,
    data: { order_id: id, organization_id, emoji_ids },
    audience: [{ user_id, organization_id }],
  })
}
