import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { assertPerson, type Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { assertOwner } from './register-passkey.ts'
import * as passkeys from './repository.ts'
import * as rules from './rules.ts'

export async function listPasskeys({ db, accounts }: Deps, { user_id }: Principal) {
  const user = await accounts.loadAccount(user_id)
  return (await passkeys.findOfUser(db, user_id)).map((passkey) => rules.show(passkey, user))
}

/** From now on the passkey takes the place of a code. */
export async function confirmPasskey(
  { db, accounts, audit, now }: Deps,
  caller: Principal,
  id: string,
) {
  assertPerson(caller)
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const passkey = await passkeys.confirm(trx, user.id, id, now())
    if (!passkey) throw rules.unknownPasskey()
    const { name } = passkey
    await audit.writeEntry(trx, 'passkey.confirmed', { actor_id: user.id, details: { name } })
    return rules.show(passkey, user)
  })
}

/** After the last second factor is removed, the next one is newer than every passkey. */
export const unconfirmPasskeys = (trx: Transaction, user_id: string): Promise<void> =>
  passkeys.unconfirmOfUser(trx, user_id)

export async function renamePasskey(
  { db, accounts }: Deps,
  caller: Principal,
  id: string,
  text: string,
) {
  const name = rules.readName(text)
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const passkey = await passkeys.rename(trx, user.id, id, name)
    if (!passkey) throw rules.unknownPasskey()
    return rules.show(passkey, user)
  })
}

export async function removePasskey(
  deps: Deps,
  caller: Principal,
  id: string,
  current_password: string | undefined,
): Promise<void> {
  const { db, accounts, audit } = deps
  await assertOwner(deps, caller, current_password)
  await transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const passkey = await passkeys.remove(trx, user.id, id)
    if (!passkey) throw rules.unknownPasskey()
    const { name } = passkey
    await audit.writeEntry(trx, 'passkey.removed', { actor_id: user.id, details: { name } })
    const sentence = rules.removedSentence(name)
    await accounts.notifyAccount(trx, user, 'A passkey was removed', sentence)
  })
}

/**
 * A reset, a new mailbox or "this was not me" revokes every passkey: one that an intruder added
 * must not outlive it.
 */
export const revokePasskeys = (trx: Transaction, user_id: string): Promise<void> =>
  passkeys.removeOfUser(trx, user_id)

export const purgeChallenges = ({ db, now }: Deps) => passkeys.purgeChallenges(db, now())
