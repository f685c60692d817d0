import type { AccountChange } from '../../identity/accounts/index.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { describeAccount } from './describe-account.ts'

export async function changeAccount(
  deps: Deps,
  caller: Principal,
  change: AccountChange,
  { address, user_agent }: { address: string; user_agent: string | undefined },
) {
  const { accounts, sessions } = deps
  // A new password revokes all tokens; the device that changed it gets new ones.
  const token_response = await accounts.updateAccount(caller, change, address, (trx) =>
    sessions.continueSession(trx, caller, user_agent),
  )
  return { ...(await describeAccount(deps, caller.user_id, caller)), token_response }
}
