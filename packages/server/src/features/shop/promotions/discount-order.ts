import { transact } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Transaction } from '../../../tables.ts'
import {
  clientFeeLeftOf,
  dueOf,
  isId,
  type LoadedOrder,
  netPriceOf,
  type OrderItem,
  snapshotOf,
} from '../orders/orders.ts'
import type { Attempt } from '../payments/payments.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

export async function discountByCode(
  { orders, codes }: Deps,
  trx: Transaction,
  order: LoadedOrder,
  selector: { code: string } | { code_id: string },
): Promise<LoadedOrder> {
  const { code, discounts } = await codes.reserveCode(trx, selector, {
    order_id: order.id,
    user_id: order.user_id,
    organization_id: order.organization_id,
    items: discountable(order.items),
  })
  if (discounts.length === 0) throw rules.nothingToTakeOff()
  return orders.addDiscounts(trx, order, discounts, code)
}

/** Changes the open payment to the amount due. */
export async function adjustPayment(
  { payments, db, orders, checkout }: Deps,
  order_id: string,
  ended?: Attempt,
): Promise<void> {
  const present = (await payments.findOpenPayments(db, [order_id])).get(order_id)
  const attempt = present ?? ended
  if (!attempt) return
  const due = dueOf(await orders.loadItems(db, order_id), await orders.loadSums(db, order_id))
  // Only the owner may charge a saved card, never a price change.
  const isOffered = attempt.payment_method === null && payments.isOffered(attempt.method, due)
  const isChanged =
    isOffered && present && (await ignoreUnavailable(payments.changeAmount(present, due)))
  const next = await transact(db, async (trx) => {
    const order = await orders.loadOrderToChange(trx, order_id)
    const open = (await payments.findOpenPayments(trx, [order_id])).get(order_id)
    if (open?.id !== present?.id || order.status !== 'PendingPayment') return undefined
    if (isChanged) {
      await payments.recordAmount(trx, attempt.id, due, snapshotOf(order))
      return undefined
    }
    const { success_url, cancel_url, method } = attempt
    const urls = success_url && cancel_url ? { success_url, cancel_url } : undefined
    await payments.closePayments(trx, order_id)
    return isOffered ? checkout.payThroughProvider(trx, order, method, urls) : undefined
  })
  if (next) await ignoreUnavailable(payments.openPayment(next))
}

/** The ids with their prices after other codes. */
export const discountable = (items: readonly OrderItem[]) =>
  items.filter(isId).map((item) => ({
    id: item.id,
    emoji_id: item.emoji_id,
    unit_price_in_cents: netPriceOf(item, items),
    client_fee_in_cents: clientFeeLeftOf(item, items),
  }))

/**
 * Ignores an unreachable provider: the order stores the amount due, and the next checkout calls the
 * provider again.
 */
async function ignoreUnavailable<Result>(
  askingResult: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await askingResult
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unavailable') return undefined
    throw error
  }
}
