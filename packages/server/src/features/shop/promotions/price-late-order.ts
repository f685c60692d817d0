import { undoUnless } from '../../../platform/database/savepoint.ts'
import type { Transaction } from '../../../tables.ts'
import type { Order } from '../orders/index.ts'
import type { Deps } from './deps.ts'
import { priceAnew } from './price-anew.ts'
import { discountAnew } from './remove-code.ts'
import * as rules from './rules.ts'

/**
 * Tells whether an order costs more now than when it was asked for, or is not sold any more.
 * Otherwise a buyer could keep an old invoice and pay it once the price has risen. The order is
 * priced like a new one, with its codes, and that is rolled back: the buyer pays the price asked for.
 */
export async function hasOrderRisen(deps: Deps, trx: Transaction, late: Order): Promise<boolean> {
  const { orders, codes } = deps
  const before = await orders.itemsOf(trx, late.id)
  let isDearer = true
  await undoUnless(trx, async () => {
    if (!(await priceAnew(deps, trx, late, before))) return false
    const used = new Set(before.flatMap(({ code_id }) => code_id ?? []))
    await discountAnew(deps, trx, late, await codes.usableNow(trx, [...used], late))
    isDearer = rules.isDearer(before, await orders.itemsOf(trx, late.id))
    return false
  })
  return isDearer
}
