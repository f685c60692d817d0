import { transact } from '../../../platform/database/database.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { User } from '../accounts/accounts.ts'
import { codeSubjects } from '../throttle/throttle.ts'
import { openSecret } from './factor-secrets.ts'
import type { SecondFactorSetupsTable } from './repository.ts'
import * as factors from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './second-factor.ts'
import { isSmsCode } from './verify-code.ts'

/** Enables the second factor that this session prepared, if the code came from it. */
export async function confirmFactor(deps: Deps, caller: Principal, text: string): Promise<void> {
  const { db, throttle, accounts } = deps
  const { kind, text: code } = rules.readCode(text)
  if (kind !== 'digits') throw rules.malformedCode()
  const session_id = caller.session_id ?? ''
  await loadOpenSetup(deps, db, session_id)
  const subjects = codeSubjects(caller.user_id, session_id, currentNetwork())
  await throttle.countAttempt(...subjects)
  // A wrong code returns: its transaction commits, which counts the try.
  const isEnabled = await transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const setup = await loadOpenSetup(deps, trx, session_id)
    const step =
      setup.provider === 'SMS' ? null : rules.stepOf(openSecret(deps, setup), code, deps.now())
    const place = { session_id, purpose: 'confirm', sealed: setup.sealed } as const
    const isRight =
      setup.provider === 'SMS' ? await isSmsCode(deps, trx, place, code) : step !== undefined
    if (isRight) await enable(deps, trx, caller, user, setup, step ?? null)
    return isRight
  })
  if (!isEnabled) throw rules.wrongCode()
  await throttle.clearFailures(...subjects)
}

async function loadOpenSetup({ now }: Deps, from: Database, session_id: string) {
  const setup = await factors.findSetup(from, session_id)
  if (!setup || !rules.isOpen(setup, now())) throw rules.nothingToConfirm()
  return setup
}

async function enable(
  { now, accounts, whenEnabled, audit }: Deps,
  trx: Transaction,
  caller: Principal,
  user: User,
  { provider, sealed, is_default, backup_codes_sha256 }: SecondFactorSetupsTable,
  last_step: number | null,
) {
  // Also voids codes that were sent to a phone that this one replaces.
  await factors.removeSetupsAndCodes(trx, user.id)
  await factors.put(trx, {
    user_id: user.id,
    provider,
    sealed,
    confirmed_at: now(),
    last_step,
    last_network: currentNetwork(),
  })
  await factors.replaceBackupCodes(trx, user.id, backup_codes_sha256)
  const otherFactors = user.two_factor_auth.filter((one) => one !== provider)
  const two_factor_auth = is_default ? [provider, ...otherFactors] : [...otherFactors, provider]
  await accounts.changeAccount(trx, user.id, { two_factor_auth })
  for (const action of whenEnabled) await action(trx, caller)
  await audit.writeEntry(trx, 'second_factor.enabled', {
    actor_id: user.id,
    details: { provider },
  })
  await accounts.notifyOwner(
    trx,
    user,
    'Your second factor was changed',
    `From now on, we ask for a code when you sign in (${provider}).`,
    { event: 'second_factor', provider },
  )
}
