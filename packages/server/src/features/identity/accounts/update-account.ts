import { transact } from '../../../platform/database/database.ts'
import { assertMailAddress } from '../../../platform/mail/address.ts'
import type { Transaction } from '../../../tables.ts'
import { assertFresh, assertPerson, type Principal } from '../../operations/access/access.ts'
import { readRedirect } from '../links/links.ts'
import type { Deps } from './accounts.ts'
import { assertNameUnused, findPendingEmail, requestEmailChange } from './change-email.ts'
import { assertPassword, hashAcceptablePassword, setPassword } from './change-password.ts'
import { notifyAccount } from './notify-owner.ts'
import { loadAccount, loadCaller } from './read-accounts.ts'
import type { User } from './repository.ts'
import * as users from './repository.ts'
import * as rules from './rules.ts'
import type { AccountChange } from './schema.ts'

export const changeAccount = (
  { now }: Deps,
  trx: Transaction,
  id: string,
  change: Parameters<typeof users.update>[2],
) => users.update(trx, id, { ...change, updated_at: now() })

export const recordPrompt = ({ db, now }: Deps, user_id: string) =>
  users.recordPrompt(db, user_id, now())

/** Changes the caller's own account. Calls `reopen` if the change ended every session. */
export async function updateAccount<Opened>(
  deps: Deps,
  caller: Principal,
  change: AccountChange,
  address: string,
  reopen: (trx: Transaction) => Promise<Opened>,
): Promise<Opened | null> {
  const { db, now, audit, links, limits } = deps
  const user = await loadAccount(deps, caller.user_id)
  const { email, password } = change
  const isNewEmail = typeof email === 'string' && email.toLowerCase() !== user.email?.toLowerCase()
  const isNewPassword = typeof password === 'string'
  const redirect = readRedirect(change.redirect)
  if (isNewEmail) assertMailAddress(email)
  if (isNewEmail || isNewPassword) {
    assertFresh(caller, 'code_or_nothing')
    await assertOwnerPassword(deps, user, caller, change)
  }
  if (isNewEmail) {
    limits.takenByAccount.spend(user.id, 1)
    await assertNameUnused(deps, { email, alternate_id: null }, { address, user_id: user.id })
  }
  const hash = isNewPassword ? await hashAcceptablePassword(deps, password, user) : undefined
  const names = rules.readNames(change)
  const entry = { actor_id: user.id }
  return transact(db, async (trx) => {
    const current = await loadCaller(trx, caller)
    const isUnchanged = current.epoch === user.epoch && !current.deactivated_at
    if (!isUnchanged || current.password_hash !== user.password_hash) {
      throw rules.wrongPassword()
    }
    // Audit entries are permanent: a repeated name must not add one.
    const members = rules.changedNames(current, names)
    if (members.length > 0) {
      await users.update(trx, user.id, { ...names, updated_at: now() })
      await audit.writeEntry(trx, 'account.changed', { ...entry, details: { members } })
    }
    if (hash !== undefined) {
      await setPassword(deps, trx, current, hash)
      await audit.writeEntry(trx, 'password.set', entry)
      await notifyAccount(
        deps,
        trx,
        current,
        'Your password was changed',
        rules.passwordChangedSentence,
      )
    }
    if (isNewEmail) {
      const { session_id } = caller
      await requestEmailChange(deps, trx, current, { email, redirect, session_id })
      await audit.writeEntry(trx, 'email.change_requested', entry)
    }
    // The current address withdraws the pending one.
    if (typeof email === 'string' && !isNewEmail && (await findPendingEmail(deps, user.id, trx))) {
      await links.voidLinks(trx, user.id, ['change_email'])
      await audit.writeEntry(trx, 'email.change_withdrawn', entry)
    }
    return hash === undefined ? null : reopen(trx)
  })
}

/**
 * Requires the current password, or a recent sign-in by link if there is none. The first address of an
 * account with an app's password requires a recent sign-in instead: a stolen old token must not take
 * the account over.
 */
async function assertOwnerPassword(
  deps: Deps,
  user: User,
  caller: Principal,
  { password, current_password }: AccountChange,
) {
  const { db, now } = deps
  const isEmailOnly = typeof password !== 'string'
  if (user.password_hash !== null) {
    const isExempt = isEmailOnly && caller.isRecentLogin && !rules.needsPasswordForEmail(user)
    return isExempt ? undefined : assertPassword(deps, user, current_password)
  }
  if (isEmailOnly && user.claimed_at === null) {
    // A person with a mistyped address cannot sign in again. A key must not become the mailbox, nor
    // a stolen old token the owner of ids.
    const mayBeOld = !caller.key && !(await users.ownsAnything(db, user.id))
    return mayBeOld ? undefined : assertPerson(caller)
  }
  rules.assertLinkedRecently(caller.linked_at, now(), isEmailOnly ? 'email' : 'password')
}
