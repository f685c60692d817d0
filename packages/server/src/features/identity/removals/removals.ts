import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { assertMayGive, assertMayOwn, checkCard, findBarred, isBarred } from './check-buyer.ts'
import type { Deps } from './deps.ts'
import {
  forgetPerson,
  purgePeople,
  readmitDeletedPerson,
  readmitPerson,
  removeDeletedPerson,
  removePerson,
} from './remove-person.ts'
import { hasRemovedCard, isCardRemoved, isPersonRemoved } from './repository.ts'

export type Removals = ReturnType<typeof createRemovals>

/** Removed people: operators deactivated their accounts, and they get no ids with another one. */
export function createRemovals(deps: Deps) {
  deps.accounts.beforeDeletion(bindTo(deps)(forgetPerson))
  return {
    ...bindUseCases(deps, { removePerson, removeDeletedPerson, purgePeople, checkCard }),
    readmitPerson,
    readmitDeletedPerson,
    isPersonRemoved,
    isBarred,
    isCardBarred: isCardRemoved,
    hasBarredCard: hasRemovedCard,
    findBarred,
    assertMayOwn,
    assertMayGive,
  }
}
