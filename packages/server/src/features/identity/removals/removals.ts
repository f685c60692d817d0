import { bindUseCases } from '../../../platform/bind.ts'
import { assertMayGive, assertMayOwn, checkCard, findBarred, isBarred } from './check-buyer.ts'
import type { Deps } from './deps.ts'
import { forgetPerson, readmitPerson, removePerson } from './remove-person.ts'
import { hasRemovedCard, isCardRemoved } from './repository.ts'

export type Removals = ReturnType<typeof createRemovals>

/** Removed people: operators deactivated their accounts, and they get no ids with another one. */
export function createRemovals(deps: Deps) {
  deps.accounts.beforeDeletion(forgetPerson)
  return {
    ...bindUseCases(deps, { removePerson, checkCard }),
    readmitPerson,
    isBarred,
    isCardBarred: isCardRemoved,
    hasBarredCard: hasRemovedCard,
    findBarred,
    assertMayOwn,
    assertMayGive,
  }
}
