import { transact } from '../../../platform/database/database.ts'
import {
  assertMayChange,
  holdCaller,
  type Principal,
  unknownUser,
} from '../../operations/access/access.ts'
import { lockSupers } from './make-super.ts'
import * as users from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './users.ts'

/** Deactivates and anonymises the account. Orders and ledger entries stay, without a name. */
export async function removeUser(
  { db, accounts, now, audit }: Deps,
  caller: Principal,
  id: string,
  reason?: string,
) {
  if (id !== caller.user_id && !caller.scopes.has('user:delete')) throw unknownUser()
  return transact(db, async (trx) => {
    const supers = await lockSupers(trx, caller)
    const user = await accounts.loadAccountToChange(trx, id)
    await holdCaller(trx, caller)
    assertMayChange(caller, user)
    rules.assertSuperStays(supers, id)
    if (id === caller.user_id) await accounts.assertSettledMailbox(trx, id)
    const sentence = 'Your account and your personal data were deleted.'
    await accounts.notifyAccount(trx, user, 'Your account was deleted', sentence)
    await accounts.prepareDeletion(trx, id)
    await accounts.endSessions(trx, id)
    await users.replaceFeatures(trx, id, [])
    const changedUser = await accounts.changeAccount(trx, id, rules.anonymous(now()))
    const noted = { actor_id: caller.user_id, subject_id: id }
    await audit.writeEntry(trx, 'account.deleted', { ...noted, details: reason ? { reason } : {} })
    return accounts.showAccount(changedUser, trx)
  })
}
