import { transact } from '../../../platform/database/database.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Principal } from '../../operations/access/index.ts'
import { codeSubjects } from '../throttle/index.ts'
import type { Deps } from './deps.ts'
import { openSecret } from './factor-secrets.ts'
import * as factors from './repository.ts'
import * as rules from './rules.ts'
import { isSmsCode } from './verify-code.ts'

export async function confirmFactor(deps: Deps, caller: Principal, text: string): Promise<void> {
  const { db, now, throttle, accounts, whenEnabled, audit } = deps
  const { kind, text: code } = rules.readCode(text)
  if (kind !== 'digits') throw rules.malformedCode()
  const setup = await factors.findSetup(db, caller.user_id)
  if (!setup || !rules.isOpen(setup, now())) throw rules.nothingToConfirm()
  const subjects = codeSubjects(caller.user_id, caller.session_id ?? '', currentNetwork())
  await throttle.countAttempt(...subjects)
  const step =
    setup.provider === 'SMS' ? undefined : rules.stepOf(openSecret(deps, setup), code, now())
  const isMatch =
    setup.provider === 'SMS'
      ? await isSmsCode(deps, { session_id: caller.session_id ?? '', purpose: 'confirm' }, code)
      : step !== undefined
  if (!isMatch) throw rules.wrongCode()
  await throttle.clearFailures(...subjects)
  await transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const confirmed = await factors.takeSetup(trx, user.id)
    if (!confirmed || confirmed.sealed !== setup.sealed) throw rules.nothingToConfirm()
    const { provider } = confirmed
    await factors.put(trx, {
      user_id: user.id,
      provider,
      sealed: confirmed.sealed,
      confirmed_at: now(),
      last_step: step ?? null,
    })
    await factors.replaceBackupCodes(trx, user.id, confirmed.backup_codes_sha256)
    const otherFactors = user.two_factor_auth.filter((one) => one !== provider)
    const two_factor_auth = confirmed.is_default
      ? [provider, ...otherFactors]
      : [...otherFactors, provider]
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
      { told: 'second_factor', provider },
    )
  })
}
