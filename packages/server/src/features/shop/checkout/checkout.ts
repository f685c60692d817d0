import { bindUseCases } from '../../../platform/bind.ts'
import { endOfHold } from './begin-checkout.ts'
import { checkOut } from './check-out.ts'
import type { Deps } from './deps.ts'
import { payThroughProvider } from './pay-order.ts'

export type Checkout = ReturnType<typeof createCheckout>

/** Checkout: holds the ids of a cart, and starts or books its payment. */
export function createCheckout(deps: Deps) {
  return bindUseCases(deps, {
    payThroughProvider,
    endOfHold,
    checkOut,
  })
}
