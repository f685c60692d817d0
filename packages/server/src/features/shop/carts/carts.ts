import { bindUseCases } from '../../../platform/bind.ts'
import { addItems, clearCart, removeItem } from './change-cart.ts'
import type { Deps } from './deps.ts'
import { lapseCurrentIfExpired, lapseIfExpired } from './lapse-expired-cart.ts'
import { assertPartner, findFees } from './partner-fees.ts'
import { convertToDraft } from './return-to-draft.ts'
import { hasItems, showCart } from './show-cart.ts'

export type Carts = ReturnType<typeof createCarts>

/** Carts: ids and boxes that a buyer collects before paying. */
export function createCarts(deps: Deps) {
  return bindUseCases(deps, {
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
}
