import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps, Options } from './deps.ts'
import { createLimits } from './limits.ts'
import { listOwnIds } from './list-own-ids.ts'

export type OwnIds = ReturnType<typeof createOwnIds>

/** The ids of a user, as the account page lists them. */
export function createOwnIds(options: Options) {
  const deps: Deps = { ...options, limits: createLimits() }
  return bindUseCases(deps, { listOwnIds })
}
