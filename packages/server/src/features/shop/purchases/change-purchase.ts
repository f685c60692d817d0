import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { isLapsed, type LoadedOrder } from '../orders/orders.ts'
import { type Gone, repeatWhenGone } from './grant.ts'
import { lapseOrder } from './lapse.ts'
import type { Deps } from './purchases.ts'

class HoldExpired extends Error {
  readonly order_id: string
  constructor(order_id: string) {
    super('The hold of a checkout has expired')
    this.order_id = order_id
  }
}

/**
 * Locks an order, by its id or as the current cart of a user, reads it once, and changes it. If its
 * hold has expired, ends that checkout first, even if its job is late.
 */
export async function changePurchase<Result>(
  deps: Deps,
  subject: { id: string } | { user_id: string },
  work: (trx: Transaction, order: LoadedOrder, gone: Gone) => Promise<Result>,
): Promise<Result> {
  const { db, orders, now } = deps
  const change = (gone: Gone) =>
    transact(db, async (trx) => {
      const order =
        'id' in subject
          ? await orders.loadToChange(trx, subject.id)
          : await orders.loadCurrentCart(trx, subject.user_id)
      if (isLapsed(order, now())) throw new HoldExpired(order.id)
      return work(trx, order, gone)
    })
  try {
    return await repeatWhenGone(change)
  } catch (error) {
    if (!(error instanceof HoldExpired)) throw error
    await lapseOrder(deps, error.order_id)
    return changePurchase(deps, subject, work)
  }
}
