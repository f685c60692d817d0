import { transact } from '../../../platform/database/database.ts'
import { assertMailAddress } from '../../../platform/mail/address.ts'
import { readNames } from '../../identity/accounts/accounts.ts'
import {
  assertMayChange,
  assertMayChangeRole,
  assertMayTakeOver,
  assertPerson,
  holdCaller,
  inRole,
  isLowerRole,
  type Principal,
} from '../../operations/access/access.ts'
import { lockSupers } from './make-super.ts'
import * as rules from './rules.ts'
import type { AdminChange } from './schema.ts'
import type { Deps } from './users.ts'

/** An administrator changes the account of another user. */
export async function updateUser(
  { accounts, db, audit }: Deps,
  caller: Principal,
  id: string,
  change: AdminChange,
) {
  const subject = await accounts.loadAccount(id)
  const isSelf = id === caller.user_id
  const { email, password, role: roleName, free_limit, reason } = change
  const reasonPart = reason ? { reason } : {}
  // Rights, a password and an address outlive the session.
  if (email || roleName || typeof password === 'string') assertPerson(caller)
  if (isSelf && (email || typeof password === 'string'))
    await accounts.assertPassword(subject, change.current_password)
  if (email) assertMailAddress(email)
  const hash =
    typeof password === 'string'
      ? await accounts.hashAcceptablePassword(password, subject)
      : undefined
  const names = { ...readNames(change), ...rules.readActivationSource(change) }
  return transact(db, async (trx) => {
    const supers = await lockSupers(trx, caller)
    const user = await accounts.loadAccountToChange(trx, id)
    await holdCaller(trx, caller)
    assertMayChange(caller, user)
    if (email || hash !== undefined) assertMayTakeOver(caller, user)
    const role = roleName ? rules.readGlobalRole(roleName) : user.role
    if (role !== user.role) {
      // Loaded under lock: of two operators who demote each other at once, one succeeds.
      const actor = await accounts.loadAccountToChange(trx, caller.user_id)
      assertMayChangeRole(inRole(caller, actor.role), user, role)
      rules.assertSuperStays(supers, id)
      const details = { from: user.role, to: role, ...reasonPart }
      await audit.writeEntry(trx, 'role.changed', {
        actor_id: caller.user_id,
        subject_id: id,
        details,
      })
    }
    if (isLowerRole(role, user.role)) await accounts.demoteAccount(trx, id)
    const limit = typeof free_limit === 'number' ? { free_limit } : {}
    const isNewLimit = free_limit !== user.free_limit && 'free_limit' in limit
    if (isNewLimit && isSelf) throw rules.ownLimit()
    const limitChange = isNewLimit ? { free_limit: { from: user.free_limit, to: free_limit } } : {}
    const changedUser = await accounts.changeAccount(trx, id, { ...names, ...limit, role })
    if (hash !== undefined) {
      await accounts.setPassword(trx, user, hash)
      const since = user.email_verified_at
      if (!isSelf) await accounts.revokeAccess(trx, id, { since, isByOperator: true })
      const sentence = 'Our support set a new password for your account.'
      await accounts.notifyAccount(trx, user, 'Your password was changed', sentence)
    }
    const isNewEmail = email && email.toLowerCase() !== user.email?.toLowerCase()
    if (isNewEmail) await accounts.requestEmailChange(trx, user, { email })
    const members = Object.keys(change).filter((name) => !/password|reason/.test(name))
    const details = { members, password: hash !== undefined, ...limitChange, ...reasonPart }
    await audit.writeEntry(trx, 'account.changed', {
      actor_id: caller.user_id,
      subject_id: id,
      details,
    })
    const [view, pending_email] = [
      await accounts.showAccount(changedUser, trx),
      await accounts.findPendingEmail(id, trx),
    ]
    return { ...view, pending_email }
  })
}
