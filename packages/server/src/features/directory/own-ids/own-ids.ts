import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { listOwnIds } from './list-own-ids.ts'

export type OwnIds = ReturnType<typeof createOwnIds>

/** The ids of a user, as the account page lists them. */
export function createOwnIds(deps: Deps) {
  return bindUseCases(deps, { listOwnIds })
}
