import { bindUseCases } from '../../../platform/bind.ts'
import { beginRecovery, previewBegin } from './begin-recovery.ts'
import { cancelOwn, cancelRecovery, dropRecovery } from './cancel-recovery.ts'
import type { Deps } from './deps.ts'
import { finishRecovery, previewFinish } from './finish-recovery.ts'
import { findPendingRecovery, purgeRecoveries } from './read-recovery.ts'

export type Recovery = ReturnType<typeof createRecovery>

/**
 * For who has lost a second factor and its backup codes: the mailbox alone removes it, after a wait
 * that is told wherever the owner may hear of it, and that ends with any login by code.
 */
export function createRecovery(deps: Deps) {
  const { secondFactor, accounts, links } = deps
  secondFactor.whenRemoved(dropRecovery)
  accounts.beforeDeletion(dropRecovery)
  accounts.whenRevoked(async (trx, user_id, { isNewMailbox, isByOperator }) => {
    // It was begun from the mailbox of before, or by whoever the operator shuts out.
    if (!isNewMailbox && !isByOperator) return
    await dropRecovery(trx, user_id)
    await links.voidAll(trx, user_id, ['recover_factor', 'finish_recovery'])
  })
  return bindUseCases(deps, {
    lookAtBegin: previewBegin,
    begin: beginRecovery,
    lookAtEnd: previewFinish,
    finish: finishRecovery,
    cancel: cancelRecovery,
    cancelOwn,
    pendingOf: findPendingRecovery,
    purge: purgeRecoveries,
  })
}
