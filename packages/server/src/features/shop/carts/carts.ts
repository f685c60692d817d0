import { bindUseCases } from '../../../platform/bind.ts'
import { addItems, clearCart, removeItem } from './change-cart.ts'
import type { Deps } from './deps.ts'
import { lapseCurrentIfExpired, lapseIfExpired } from './lapse-expired-cart.ts'
import { createLimits } from './limits.ts'
import { assertPartner, findFees } from './partner-fees.ts'
import { convertToDraft } from './return-to-draft.ts'
import { hasItems, showCart } from './show-cart.ts'

export type Carts = ReturnType<typeof createCarts>

/** Carts: ids and boxes that a buyer collects before paying. */
export function createCarts(deps: Deps) {
  const useCases = bindUseCases(deps, {
    lapseIfExpired,
    lapseCurrentIfExpired,
    findFees,
    assertPartner,
    hasItems,
    showCart,
    addItems,
    removeItem,
    convertToDraft,
    clearCart,
  })
  return { ...useCases, limits: createLimits() }
}
