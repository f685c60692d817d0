import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps, Options, SuspensionListener } from './deps.ts'
import { listSuspensions, showSuspension } from './read-suspensions.ts'
import { restoreId, restoreIdsOfUser } from './restore-id.ts'
import { suspendId, suspendIdsOfUser, suspendLockedId } from './suspend-id.ts'

export type { SuspensionChange } from './deps.ts'

export type Suspensions = ReturnType<typeof createSuspensions>

/** Suspended ids: operators take them down and restore them. */
export function createSuspensions(options: Options) {
  const whenChanged: SuspensionListener[] = []
  const deps: Deps = { ...options, whenChanged }
  return {
    ...bindUseCases(deps, {
      suspendId,
      suspendLockedId,
      restoreId,
      suspendIdsOfUser,
      restoreIdsOfUser,
      listSuspensions,
      showSuspension,
    }),
    /** Adds an action that runs before ids are suspended or restored, in the same transaction. */
    whenChanged: (action: SuspensionListener) => void whenChanged.push(action),
  }
}
