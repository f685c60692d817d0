import { assertMailAddress } from '../../../platform/mail/address.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Deps } from './accounts.ts'
import { hashAcceptablePassword } from './change-password.ts'
import * as users from './repository.ts'
import * as rules from './rules.ts'

export async function createAccount(
  { now, keys, audit, links }: Deps,
  trx: Transaction,
  account: rules.NewAccount,
  password_hash: string | null,
  actor?: Principal,
) {
  if (account.email && (await links.isReserved(trx, account.email))) {
    throw new rules.TakenError('email')
  }
  const { password: _, isActivated, reason, ...members } = account
  const at = now()
  const user = await users.insert(trx, {
    ...members,
    password_hash,
    password_by_app: account.alternate_id !== null,
    created_at: at,
    updated_at: at,
    email_verified_at: isActivated ? at : null,
    claimed_at: null,
    two_factor_last_prompted_at: null,
    deactivated_at: null,
    deleted_at: null,
  })
  if (!user) throw new rules.TakenError(account.email === null ? 'alternate_id' : 'email')
  const pubkey = await keys.createCustodialKey(trx, { user_id: user.id })
  const entry = { actor_id: actor?.user_id ?? user.id, subject_id: user.id }
  const details = reason ? { reason } : {}
  await audit.writeEntry(trx, 'account.registered', { ...entry, details })
  if (isActivated && actor) {
    await audit.writeEntry(trx, 'email.confirmed', {
      ...entry,
      details: { by: actor.role, ...details },
    })
  }
  await audit.writeEntry(trx, 'key.created', { ...entry, details: { pubkey } })
  return user
}

/** Creates an administrator; returns false if the address is taken. */
export async function createAdmin(
  deps: Deps,
  trx: Transaction,
  email: string,
  password: string,
): Promise<boolean> {
  const { now } = deps
  assertMailAddress(email)
  if (await users.findByEmail(trx, email)) return false
  const hash = await hashAcceptablePassword(deps, password, { email, alternate_id: null })
  const user = await createAccount(deps, trx, { ...rules.emptyAccount, email }, hash)
  const at = now()
  // The first administrator is a Super, because only a Super can grant every role; later ones are Admins.
  const role = (await users.hasOperator(trx)) ? 'Admin' : 'Super'
  await users.update(trx, user.id, { role, email_verified_at: at, claimed_at: at })
  return true
}
