import { bindUseCases } from '../../../platform/bind.ts'
import { createAllowance } from '../../../platform/http/allowance.ts'
import type { Deps, Options } from './deps.ts'
import { listOwnIds } from './list-own-ids.ts'

/** One for the list, and one for each word: it is looked for in every id of the owner. */
const words = {
  each: { atOnce: 300, perSecond: 30 },
  all: { atOnce: 1_500, perSecond: 150 },
}

export type OwnIds = ReturnType<typeof createOwnIds>

/** The ids of a user, as the account page lists them. */
export function createOwnIds(options: Options) {
  const deps: Deps = { ...options, searched: createAllowance(words) }
  return bindUseCases(deps, { listOwnIds })
}
