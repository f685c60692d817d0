import { bindUseCases } from '../../../platform/bind.ts'
import { undoUnless } from '../../../platform/database/savepoint.ts'
import { applyCode } from './apply-code.ts'
import type { Deps } from './deps.ts'
import { priceAnew } from './price-anew.ts'
import { discountAnew, removeCode } from './remove-code.ts'
import * as rules from './rules.ts'
import { useRandomCode } from './use-random-code.ts'

export type Promotions = ReturnType<typeof createPromotions>

/** What codes do to carts. */
export function createPromotions(deps: Deps) {
  const { settlement, orders, codes } = deps
  // A buyer could otherwise keep an old invoice, and pay it once the price is another one.
  settlement.whenLate(async (trx, late) => {
    const before = await orders.itemsOf(trx, late.id)
    let isDearer = true
    // Priced as a new order would be, and undone: what it is bought for is what was asked for.
    await undoUnless(trx, async () => {
      if (!(await priceAnew(deps, trx, late, before))) return false
      const used = new Set(before.flatMap(({ code_id }) => code_id ?? []))
      await discountAnew(deps, trx, late, await codes.usableNow(trx, [...used], late))
      isDearer = rules.isDearer(before, await orders.itemsOf(trx, late.id))
      return false
    })
    return isDearer
  })
  return bindUseCases(deps, {
    applyCode,
    removeCode,
    useRandomCode,
  })
}
