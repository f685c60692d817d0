import { transact } from '../../../platform/database/database.ts'
import {
  assertMayChange,
  assertScope,
  holdCaller,
  type Principal,
} from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { lockSupers } from './make-super.ts'
import * as rules from './rules.ts'

export async function setUserActive(
  { db, accounts, now, audit }: Deps,
  caller: Principal,
  id: string,
  isActive: boolean,
  reason: string,
) {
  if (isActive) assertScope(caller, 'user:activate')
  return transact(db, async (trx) => {
    const supers = await lockSupers(trx, caller)
    const user = await accounts.loadAccountToChange(trx, id)
    await holdCaller(trx, caller)
    assertMayChange(caller, user)
    if (user.id === caller.user_id) throw rules.ownAccount()
    if (!isActive) rules.assertSuperStays(supers, id)
    const deactivated_at = isActive ? null : (user.deactivated_at ?? now())
    const changed = await accounts.changeAccount(trx, id, { deactivated_at })
    // Activating the account again restores no key and no session.
    if (!isActive) await accounts.revokeAccess(trx, id, { since: now(), isByOperator: true })
    const event = isActive ? 'account.activated' : 'account.deactivated'
    await audit.writeEntry(trx, event, {
      actor_id: caller.user_id,
      subject_id: id,
      details: { reason },
    })
    return accounts.showAccount(changed, trx)
  })
}
