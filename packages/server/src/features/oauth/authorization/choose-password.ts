import type { Transaction } from '../../../tables.ts'
import type { Origin } from '../../identity/login/index.ts'
import { missingSecondFactor } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { loadLogin, mustSetUpFactor } from './find-login.ts'
import * as rules from './rules.ts'

/** Sets a first password, which ends every session; returns the handle of a new one. */
export async function choosePassword(
  deps: Deps,
  handle: string,
  password: string,
  { address, user_agent }: Origin,
) {
  const { sessions, accounts } = deps
  const { principal, session, user } = await loadLogin(deps, handle)
  if (mustSetUpFactor(deps, user)) throw missingSecondFactor()
  // An earlier code does not count if the session owes another one since.
  if (session.second_factor_due) throw rules.pendingSecondFactor()
  const code_given_at = session.second_factor_at
  const reopen = (trx: Transaction) =>
    sessions.openSiteSession(trx, principal.user_id, {
      user_agent,
      ...(code_given_at ? { code_given_at } : {}),
    })
  const newHandle = await accounts.updateAccount(principal, { password }, address, reopen)
  if (newHandle === null) throw new Error('A new password ended no session')
  return newHandle
}
