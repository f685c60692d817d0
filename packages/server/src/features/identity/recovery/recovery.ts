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
 * Removes a lost second factor after a wait, if the backup codes are lost too. The mailbox alone is
 * enough, so we notify the owner by email and text message, and any sign-in with a code cancels it.
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
