import type { Transaction } from '../../../tables.ts'
import type { Origin } from '../../identity/login/index.ts'
import { secondFactorMissing } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { isHeldUp, loadLogin } from './find-login.ts'
import * as rules from './rules.ts'

/** A new password ends every session, this one too; returns the handle of the next. */
export async function choosePassword(
  deps: Deps,
  handle: string,
  password: string,
  { user_agent }: Origin,
) {
  const { sessions, accounts } = deps
  const { principal, session, user } = await loadLogin(deps, handle)
  if (isHeldUp(deps, user)) throw secondFactorMissing()
  // A code that was given earlier does not count if another one is owed since.
  if (session.second_factor_due) throw rules.codeOwed()
  const code_given_at = session.second_factor_at
  const reopen = (trx: Transaction) =>
    sessions.openSiteSession(trx, principal.user_id, {
      user_agent,
      ...(code_given_at ? { code_given_at } : {}),
    })
  const handleAfter = await accounts.updateAccount(principal, { password }, reopen)
  if (handleAfter === null) throw new Error('A new password ended no session')
  return handleAfter
}
