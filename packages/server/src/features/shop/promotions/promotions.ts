import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { applyCode } from './apply-code.ts'
import type { Deps } from './deps.ts'
import { hasOrderRisen } from './price-late-order.ts'
import { removeCode } from './remove-code.ts'
import { useRandomCode } from './use-random-code.ts'

export type Promotions = ReturnType<typeof createPromotions>

/** Promo codes on carts. */
export function createPromotions(deps: Deps) {
  const bind = bindTo(deps)
  const { settlement } = deps
  settlement.addPriceCheck(bind(hasOrderRisen))

  return bindUseCases(deps, { applyCode, removeCode, useRandomCode })
}
