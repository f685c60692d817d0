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
import type { Activation, Deactivation } from './schema.ts'

/** Ends all access of a user. Unless the operator says no, the ids of the user are suspended. */
export function deactivateUser(
  deps: Deps,
  caller: Principal,
  id: string,
  { reason, suspend_ids = true }: Deactivation,
) {
  const { db, accounts, emojiIds, links, removals, suspensions, now, audit } = deps
  return transact(db, async (trx) => {
    const supers = await lockSupers(trx, caller)
    // Lock order: ids before accounts, as transfers lock them.
    if (suspend_ids) await emojiIds.lockIdsOfUser(trx, id)
    const user = await accounts.loadAccountToChange(trx, id)
    await holdCaller(trx, caller)
    assertMayChange(caller, user)
    if (user.id === caller.user_id) throw rules.ownAccount()
    rules.assertSuperStays(supers, id)
    const deactivated_at = user.deactivated_at ?? now()
    const changed = await accounts.changeAccount(trx, id, { deactivated_at })
    // Activating the account again restores no key, no session and no link.
    await accounts.revokeAccess(trx, id, { since: now(), isByOperator: true })
    await links.voidAllLinks(trx, id)
    await removals.removePerson(trx, user)
    const by = { actor_id: caller.user_id, reason }
    await audit.writeEntry(trx, 'account.deactivated', {
      actor_id: caller.user_id,
      subject_id: id,
      details: { reason, suspend_ids },
    })
    // Read again under the lock of the account: no id can be added any more.
    if (suspend_ids) await suspensions.suspendIdsOfUser(trx, id, by)
    return accounts.showAccount(changed, trx)
  })
}

/** Gives access back. Ids that were suspended with the account are restored. */
export function activateUser(
  deps: Deps,
  caller: Principal,
  id: string,
  { reason, restore_ids = true }: Activation,
) {
  const { db, accounts, emojiIds, removals, suspensions, audit } = deps
  assertScope(caller, 'user:activate')
  return transact(db, async (trx) => {
    await lockSupers(trx, caller)
    if (restore_ids) await emojiIds.lockIdsOfUser(trx, id)
    const user = await accounts.loadAccountToChange(trx, id)
    await holdCaller(trx, caller)
    assertMayChange(caller, user)
    if (user.id === caller.user_id) throw rules.ownAccount()
    const changed = await accounts.changeAccount(trx, id, { deactivated_at: null })
    await removals.readmitPerson(trx, id)
    await audit.writeEntry(trx, 'account.activated', {
      actor_id: caller.user_id,
      subject_id: id,
      details: { reason, restore_ids },
    })
    const by = { actor_id: caller.user_id, reason }
    if (restore_ids) await suspensions.restoreIdsOfUser(trx, id, by)
    return accounts.showAccount(changed, trx)
  })
}
