import { bindUseCases } from '../../../platform/bind.ts'
import { changeAccount } from './change-account.ts'
import type { Deps } from './deps.ts'
import { describeAccount } from './describe-account.ts'
import { loadAccount } from './load-account.ts'

export type Profile = ReturnType<typeof createProfile>

/** The account as its user sees it, gathered from many features. */
export function createProfile(deps: Deps) {
  return bindUseCases(deps, {
    describeAccount,
    changeAccount,
    loadAccount,
  })
}
