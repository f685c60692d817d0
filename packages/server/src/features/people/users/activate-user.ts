import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import {
  assertMayChange,
  assertScope,
  holdCaller,
  type Principal,
} from '../../operations/access/access.ts'
import { removeDeletedUser, restoreDeletedUser } from './deleted-users.ts'
import { lockSupers } from './make-super.ts'
import * as users from './repository.ts'
import * as rules from './rules.ts'
import type { Activation, Deactivation } from './schema.ts'
import type { Deps } from './users.ts'

/**
 * Ends all access of a user. Unless the operator says no, the ids of the user are suspended, with
 * those of organizations without another active power role.
 */
export function deactivateUser(
  deps: Deps,
  caller: Principal,
  id: string,
  { reason, suspend_ids = true }: Deactivation,
) {
  const { db, accounts, emojiIds, links, organizations, removals, suspensions, now, audit } = deps
  return transact(db, async (trx) => {
    const deletedUser = await users.findDeletedToChange(trx, id)
    if (deletedUser) return removeDeletedUser(deps, trx, caller, deletedUser, reason)
    // Lock order: ids before accounts, as transfers and suspensions lock them.
    if (suspend_ids) await emojiIds.lockIdsOfUser(trx, id)
    const supers = await lockSupers(trx, caller)
    const user = await accounts.loadAccountToChange(trx, id)
    await holdCaller(trx, caller)
    assertMayChange(caller, user)
    if (user.id === caller.user_id) throw rules.ownAccount()
    rules.assertSuperStays(supers, id)
    // Of two owners who are deactivated at once, the second one finds no other active owner.
    await organizations.lockOrganizationsOf(trx, id)
    const deactivated_at = user.deactivated_at ?? now()
    const changedUser = await accounts.changeAccount(trx, id, { deactivated_at })
    // Activating the account again restores no key, no session and no link.
    await accounts.revokeAccess(trx, id, { since: now(), isByOperator: true })
    await links.voidAllLinks(trx, id)
    await removals.removePerson(trx, id)
    await mailDeactivated(deps, trx, user, reason)
    const by = { actor_id: caller.user_id, reason }
    await audit.writeEntry(trx, 'account.deactivated', {
      actor_id: caller.user_id,
      subject_id: id,
      details: { reason, suspend_ids },
    })
    // Read again under the lock of the account: no id can be added any more.
    if (suspend_ids) await suspensions.suspendIdsOfUser(trx, id, by)
    return accounts.showAccount(changedUser, trx)
  })
}

/** The person learns why they can no longer sign in: the sign-in itself reveals nothing. */
async function mailDeactivated(
  { notifications, appealsEmail: appeals }: Deps,
  trx: Transaction,
  { id: user_id, email: to, email_verified_at, deactivated_at }: User,
  reason: string,
) {
  if (!to || !email_verified_at || deactivated_at) return
  const letter = rules.accountDeactivated(reason, appeals)
  const news = { kind: 'account_deactivated', page: '/account/profile', letter }
  await notifications.queueMail(trx, { to, user_id, ...news })
}

/**
 * Gives access back. Unless the operator says no, ids that were suspended with the account are
 * restored, with those of organizations that have an active power role again.
 */
export function activateUser(
  deps: Deps,
  caller: Principal,
  id: string,
  { reason, restore_ids = true }: Activation,
) {
  const { db, accounts, emojiIds, organizations, removals, suspensions, audit } = deps
  assertScope(caller, 'user:activate')
  return transact(db, async (trx) => {
    const deletedUser = await users.findDeletedToChange(trx, id)
    if (deletedUser) return restoreDeletedUser(deps, trx, caller, deletedUser, reason)
    if (restore_ids) await emojiIds.lockIdsToRestore(trx, id)
    await lockSupers(trx, caller)
    const user = await accounts.loadAccountToChange(trx, id)
    await holdCaller(trx, caller)
    assertMayChange(caller, user)
    if (user.id === caller.user_id) throw rules.ownAccount()
    // If another owner is deactivated at the same time, the later change sees the earlier one.
    await organizations.lockOrganizationsOf(trx, id)
    const changedUser = await accounts.changeAccount(trx, id, { deactivated_at: null })
    await removals.restorePerson(trx, id)
    await audit.writeEntry(trx, 'account.activated', {
      actor_id: caller.user_id,
      subject_id: id,
      details: { reason, restore_ids },
    })
    const by = { actor_id: caller.user_id, reason }
    if (restore_ids) await suspensions.restoreIdsOfUser(trx, id, by)
    return accounts.showAccount(changedUser, trx)
  })
}
