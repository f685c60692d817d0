import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import {
  assertMayChange,
  holdCaller,
  type Principal,
  unknownUser,
} from '../../operations/access/access.ts'
import * as rules from './rules.ts'
import type { Deps } from './users.ts'

/** Removes the person behind a deleted account, as long as mailboxes and cards of it are stored. */
export async function removeDeletedUser(
  { accounts, removals, audit }: Deps,
  trx: Transaction,
  caller: Principal,
  user: User,
  reason: string,
) {
  await holdCaller(trx, caller)
  assertMayChange(caller, user)
  if (!(await removals.removeDeletedPerson(trx, user.id))) throw rules.forgottenUser()
  await audit.writeEntry(trx, 'account.deactivated', {
    actor_id: caller.user_id,
    subject_id: user.id,
    details: { reason },
  })
  return accounts.showAccount(user, trx)
}

/** Ends the removal. The account stays deleted. */
export async function restoreDeletedUser(
  { accounts, removals, audit }: Deps,
  trx: Transaction,
  caller: Principal,
  user: User,
  reason: string | undefined,
) {
  await holdCaller(trx, caller)
  assertMayChange(caller, user)
  if (!(await removals.restoreDeletedPerson(trx, user.id))) throw unknownUser()
  await audit.writeEntry(trx, 'account.activated', {
    actor_id: caller.user_id,
    subject_id: user.id,
    details: { reason },
  })
  return accounts.showAccount(user, trx)
}
