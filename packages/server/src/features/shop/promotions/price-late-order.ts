import { undoUnless } from '../../../platform/database/savepoint.ts'
import type { Transaction } from '../../../tables.ts'
import type { LoadedOrder } from '../orders/orders.ts'
import type { Deps } from './deps.ts'
import { priceOrder } from './price-order.ts'
import { replaceCodeDiscounts } from './remove-code.ts'
import * as rules from './rules.ts'

/**
 * Whether an order costs more now than when its payment was requested, or is no longer for sale.
 * Otherwise a buyer could keep an old invoice and pay it once the price has risen. The order is
 * priced like a new one, with its codes, and rolled back: the buyer pays the requested price.
 */
export async function hasOrderRisen(
  deps: Deps,
  trx: Transaction,
  late: LoadedOrder,
): Promise<boolean> {
  const { codes } = deps
  let isDearer = true
  await undoUnless(trx, async () => {
    const pricedOrder = await priceOrder(deps, trx, late)
    if (!pricedOrder) return false
    const usedCodes = new Set(late.items.flatMap(({ code_id }) => code_id ?? []))
    const usable = await codes.findUsableCodes(trx, [...usedCodes], late)
    const discountedOrder = await replaceCodeDiscounts(deps, trx, pricedOrder, usable)
    isDearer = rules.isDearer(late.items, discountedOrder.items)
    return false
  })
  return isDearer
}
