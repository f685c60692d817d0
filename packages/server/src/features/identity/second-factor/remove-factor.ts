import { transact } from '../../../platform/database/database.ts'
import { networkOf } from '../../../platform/http/network.ts'
import type { Transaction } from '../../../tables.ts'
import { assertMayChange, type Principal, type Provider } from '../../operations/access/access.ts'
import { loginNameOf, type User } from '../accounts/accounts.ts'
import { nameSubjects, networkSubjects } from '../throttle/throttle.ts'
import * as factors from './repository.ts'
import * as rules from './rules.ts'
import type { BackupDisableBody, DisableBody } from './schema.ts'
import type { Deps } from './second-factor.ts'

/** Removes second factors and voids set-ups. After the last one, also removes backup codes. */
export async function removeFactors(
  { accounts, whenRemoved }: Deps,
  trx: Transaction,
  user: User,
  providers: readonly Provider[],
) {
  await factors.remove(trx, user.id, providers)
  await factors.removeSetupsAndCodes(trx, user.id)
  const remainingProviders = user.two_factor_auth.filter(
    (provider) => !providers.includes(provider),
  )
  await accounts.changeAccount(trx, user.id, { two_factor_auth: remainingProviders })
  if (remainingProviders.length > 0) return
  await factors.replaceBackupCodes(trx, user.id, [])
  for (const action of whenRemoved) await action(trx, user.id)
}

export async function removeAllFactors(deps: Deps, trx: Transaction, user_id: string) {
  const { accounts } = deps
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
  if (!disable_all && !provider) throw rules.missingProvider()
  await transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const removedProviders = disable_all || !provider ? user.two_factor_auth : [provider]
    const isEnabled =
      removedProviders.length > 0 &&
      removedProviders.every((one) => user.two_factor_auth.includes(one))
    if (!isEnabled) throw rules.notEnabled()
    await removeFactors(deps, trx, user, removedProviders)
    await audit.writeEntry(trx, 'second_factor.removed', {
      actor_id: user.id,
      details: { removed: removedProviders },
    })
    await notifyRemoval(deps, trx, user, 'from your account')
  })
}

/** For a user who lost the phone: removes the second factor and revokes all sessions. */
export async function disableByBackupCode(
  deps: Deps,
  body: BackupDisableBody,
  address: string,
): Promise<void> {
  const { throttle, accounts, db, audit } = deps
  const { email, alternate_id, provider, disable_all } = body
  if (!email && !alternate_id) throw rules.missingName()
  const hash = rules.backupHash(rules.readBackupCode(body.backup_code))
  const network = networkOf(address)
  const name = loginNameOf({ email: email || null, alternate_id: alternate_id ?? null })
  const names = nameSubjects(`backup ${name}`, network)
  const subjects = [...names, ...networkSubjects(network)]
  await throttle.assertNotBlocked(...subjects)
  const named = email
    ? await accounts.findByEmail(email)
    : await accounts.findByAlternateId(alternate_id ?? '')
  const isBoth = Boolean(email && alternate_id)
  // Two names of different accounts get the same response as a wrong code.
  const account = isBoth && named?.alternate_id !== alternate_id ? undefined : named
  const isRemoved = await transact(db, async (trx) => {
    if (!account || account.deactivated_at) return false
    const user = await accounts.loadAccountToChange(trx, account.id)
    const removedProviders = provider && !disable_all ? [provider] : user.two_factor_auth
    if (removedProviders.length === 0) return false
    if (removedProviders.some((one) => !user.two_factor_auth.includes(one))) return false
    if (!(await factors.takeBackupCode(trx, user.id, hash))) return false
    await removeFactors(deps, trx, user, removedProviders)
    await accounts.endSessions(trx, user.id)
    const details = { removed: removedProviders, by: 'backup code' }
    await audit.writeEntry(trx, 'second_factor.removed', { actor_id: user.id, details })
    await notifyRemoval(deps, trx, user, 'with a backup code, and all sessions were signed out')
    return true
  })
  if (isRemoved) return
  await throttle.countFailure(...subjects)
  throw rules.wrongCode('backup_code')
}

/** The last step of a recovery. */
export async function removeLostFactor(deps: Deps, trx: Transaction, user: User): Promise<void> {
  const { accounts, audit } = deps
  const removedProviders = user.two_factor_auth
  await removeFactors(deps, trx, user, removedProviders)
  await accounts.endSessions(trx, user.id)
  const details = { removed: removedProviders, by: 'recovery' }
  await audit.writeEntry(trx, 'second_factor.removed', { actor_id: user.id, details })
  await notifyRemoval(deps, trx, user, 'after the three-day wait, in which no code was entered')
}

/** Lets an operator remove the second factor of a user. */
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
    const entry = { actor_id: caller.user_id, subject_id: user_id, details: { reason } }
    await audit.writeEntry(trx, 'second_factor.removed', entry)
    await notifyRemoval(deps, trx, user, 'by our support, and all sessions were signed out')
  })
}

function notifyRemoval({ accounts }: Deps, trx: Transaction, user: User, how: string) {
  return accounts.notifyAccount(
    trx,
    user,
    'Your second factor was removed',
    `Your second factor was removed ${how}. Your API keys can still change records. They can do nothing else that required a code.`,
  )
}
