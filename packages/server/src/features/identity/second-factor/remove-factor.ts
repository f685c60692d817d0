import { transact } from '../../../platform/database/database.ts'
import { networkOf } from '../../../platform/http/network.ts'
import type { Transaction } from '../../../tables.ts'
import { assertMayChange, type Principal, type Provider } from '../../operations/access/index.ts'
import type { User } from '../accounts/index.ts'
import { nameSubjects, networkSubjects } from '../throttle/index.ts'
import type { Deps } from './deps.ts'
import * as factors from './repository.ts'
import * as rules from './rules.ts'
import type { BackupDisableBody, DisableBody } from './schema.ts'

/** Removes second factors. After the last one, backup codes and waiting codes end too. */
export async function removeFactors(
  { accounts, whenRemoved }: Deps,
  trx: Transaction,
  user: User,
  providers: readonly Provider[],
) {
  await factors.remove(trx, user.id, providers)
  if (providers.includes('SMS')) await factors.removeSmsCodes(trx, user.id)
  const left = user.two_factor_auth.filter((provider) => !providers.includes(provider))
  await accounts.changeAccount(trx, user.id, { two_factor_auth: left })
  if (left.length > 0) return
  await factors.replaceBackupCodes(trx, user.id, [])
  for (const follow of whenRemoved) await follow(trx, user.id)
}

export async function forgetFactors(deps: Deps, trx: Transaction, user_id: string) {
  const { accounts } = deps
  await factors.takeSetup(trx, user_id)
  await removeFactors(deps, trx, await accounts.loadAccountToChange(trx, user_id), [
    'AuthenticatorApp',
    'SMS',
  ])
}

export async function disableFactor(
  deps: Deps,
  caller: Principal,
  { provider, disable_all }: DisableBody,
): Promise<void> {
  const { db, accounts, audit } = deps
  if (!disable_all && !provider) throw rules.providerMissing()
  await transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const removed = disable_all || !provider ? user.two_factor_auth : [provider]
    const isInForce =
      removed.length > 0 && removed.every((one) => user.two_factor_auth.includes(one))
    if (!isInForce) throw rules.notEnabled()
    await removeFactors(deps, trx, user, removed)
    await audit.writeEntry(trx, 'second_factor.removed', {
      actor_id: user.id,
      details: { removed },
    })
    await notifyRemoval(deps, trx, user, 'by you')
  })
}

/**
 * For a user who lost the phone: a backup code removes the second factor and ends all sessions.
 */
export async function disableByBackupCode(
  deps: Deps,
  body: BackupDisableBody,
  address: string,
): Promise<void> {
  const { throttle, accounts, db, audit } = deps
  const { email, alternate_id, provider, disable_all } = body
  if (!email && !alternate_id) throw rules.nameMissing()
  const hash = rules.backupHash(rules.readBackupCode(body.backup_code))
  const network = networkOf(address)
  const named = nameSubjects(`backup ${email?.toLowerCase() ?? alternate_id}`, network)
  const tried = [...named, ...networkSubjects(network)]
  await throttle.assertNotBlocked(...tried)
  const found = email
    ? await accounts.findByEmail(email)
    : await accounts.findByAlternateId(alternate_id ?? '')
  const isDone = await transact(db, async (trx) => {
    if (!found || found.deactivated_at) return false
    const user = await accounts.loadAccountToChange(trx, found.id)
    const removed = provider && !disable_all ? [provider] : user.two_factor_auth
    if (removed.length === 0) return false
    if (removed.some((one) => !user.two_factor_auth.includes(one))) return false
    if (!(await factors.takeBackupCode(trx, user.id, hash))) return false
    await removeFactors(deps, trx, user, removed)
    await accounts.endSessions(trx, user.id)
    const details = { removed, by: 'backup code' }
    await audit.writeEntry(trx, 'second_factor.removed', { actor_id: user.id, details })
    await notifyRemoval(deps, trx, user, 'with a backup code, and all sessions ended')
    return true
  })
  if (isDone) return
  await throttle.countFailure(...tried)
  throw rules.wrongCode('backup_code')
}

/** At the end of a recovery. */
export async function removeLostFactor(deps: Deps, trx: Transaction, user: User): Promise<void> {
  const { accounts, audit } = deps
  const removed = user.two_factor_auth
  await removeFactors(deps, trx, user, removed)
  await accounts.endSessions(trx, user.id)
  const details = { removed, by: 'recovery' }
  await audit.writeEntry(trx, 'second_factor.removed', { actor_id: user.id, details })
  await notifyRemoval(deps, trx, user, 'after three days in which nobody gave a code')
}

/** By an operator, for a user who lost the second factor. */
export async function removeFactorOf(
  deps: Deps,
  caller: Principal,
  user_id: string,
  reason: string,
): Promise<void> {
  const { db, accounts, audit } = deps
  await transact(db, async (trx) => {
    const user = await accounts.loadAccountToChange(trx, user_id)
    assertMayChange(caller, user)
    if (user.two_factor_auth.length === 0) throw rules.notEnabled()
    await removeFactors(deps, trx, user, user.two_factor_auth)
    await accounts.endSessions(trx, user.id)
    const noted = { actor_id: caller.user_id, subject_id: user_id, details: { reason } }
    await audit.writeEntry(trx, 'second_factor.removed', noted)
    await notifyRemoval(deps, trx, user, 'by our support, and all sessions ended')
  })
}

function notifyRemoval({ accounts }: Deps, trx: Transaction, user: User, how: string) {
  return accounts.notifyAccount(
    trx,
    user,
    'Your second factor was removed',
    `A second factor of your account was removed ${how}. API keys that you have change records as before, and stay shut out of whatever else asked for a code.`,
  )
}
