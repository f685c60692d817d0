import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { beginRecovery, previewBegin } from './begin-recovery.ts'
import {
  cancelOwnRecovery,
  cancelRecovery,
  dropRecovery,
  revokeRecovery,
} from './cancel-recovery.ts'
import type { Deps } from './deps.ts'
import { finishRecovery, previewFinish } from './finish-recovery.ts'
import { purgeRecoveries } from './purge-recoveries.ts'
import { findPendingRecovery } from './read-recovery.ts'

export type Recovery = ReturnType<typeof createRecovery>

/**
 * For a user who lost the second factor and its backup codes. The mailbox alone removes it, after a
 * wait. The owner is notified of the wait everywhere, and any login with a code cancels it.
 */
export function createRecovery(deps: Deps) {
  const bind = bindTo(deps)
  const { secondFactor, accounts } = deps
  secondFactor.whenRemoved(dropRecovery)
  accounts.beforeDeletion(dropRecovery)
  accounts.whenRevoked(bind(revokeRecovery))

  return bindUseCases(deps, {
    previewBegin,
    beginRecovery,
    previewFinish,
    finishRecovery,
    cancelRecovery,
    cancelOwnRecovery,
    findPendingRecovery,
    purgeRecoveries,
  })
}
