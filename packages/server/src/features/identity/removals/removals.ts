import { bindUseCases } from '../../../platform/bind.ts'
import { assertMayBuy, checkCard, isBarred } from './check-buyer.ts'
import type { Deps } from './deps.ts'
import { forgetCards, readmitPerson, removePerson } from './remove-person.ts'

export type Removals = ReturnType<typeof createRemovals>

/** Removed people: operators deactivated their accounts, and they cannot buy with another one. */
export function createRemovals(deps: Deps) {
  deps.accounts.beforeDeletion(forgetCards)
  return {
    ...bindUseCases(deps, { removePerson, checkCard }),
    readmitPerson,
    isBarred,
    assertMayBuy,
  }
}
