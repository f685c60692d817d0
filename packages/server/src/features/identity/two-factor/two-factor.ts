import { bindUseCases } from '../../../platform/bind.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal, Provider } from '../../operations/access/index.ts'
import { confirmFactor } from './confirm-factor.ts'
import type { Deps, Options } from './deps.ts'
import { enableFactor } from './enable-factor.ts'
import { purgeFactors } from './factor-secrets.ts'
import {
  disableByBackupCode,
  disableFactor,
  forgetFactors,
  removeFactorOf,
  removeFactors,
  removeLostFactor,
} from './remove-factor.ts'
import * as factors from './repository.ts'
import { readPhone, sendCode } from './send-code.ts'
import { verifyCode } from './verify-code.ts'

export type SecondFactor = ReturnType<typeof createSecondFactor>

export function createSecondFactor(options: Options) {
  const { sealer, accounts, audit } = options
  const smsKey = sealer.derive('text message codes')
  const phoneKey = sealer.derive('phone numbers of text messages')
  const whenEnabled: ((trx: Transaction, caller: Principal) => Promise<void>)[] = []
  const whenRemoved: ((trx: Transaction, user_id: string) => Promise<unknown>)[] = []
  const deps: Deps = { ...options, smsKey, phoneKey, whenEnabled, whenRemoved }
  accounts.whenDisowned((trx, user_id) => forgetFactors(deps, trx, user_id))
  accounts.beforeDeletion((trx, user_id) => forgetFactors(deps, trx, user_id))
  accounts.whenRevoked(async (trx, user_id, { told }) => {
    await factors.takeSetup(trx, user_id)
    await factors.removeSmsCodes(trx, user_id)
    if (told?.event !== 'second_factor') return
    // The one that the notice was about, set up anew or not, and whatever came since.
    const user = await accounts.loadToChange(trx, user_id)
    const removed: Provider[] = []
    for (const provider of user.two_factor_auth) {
      const factor = await factors.find(trx, user_id, provider)
      const isSince = factor !== undefined && factor.confirmed_at >= told.at
      if (provider === told.provider || isSince) removed.push(provider)
    }
    if (removed.length === 0) return
    await removeFactors(deps, trx, user, removed)
    // The intruder knows the backup codes that came with the factor.
    await factors.replaceBackupCodes(trx, user_id, [])
    const details = { removed, by: 'notice' }
    await audit.note(trx, 'second_factor.removed', { actor_id: user_id, details })
  })
  return {
    ...bindUseCases(deps, {
      enable: enableFactor,
      confirm: confirmFactor,
      verify: verifyCode,
      disable: disableFactor,
      disableByBackupCode,
      sendCode,
      removeLost: removeLostFactor,
      phoneOf: readPhone,
      removeFor: removeFactorOf,
      purge: purgeFactors,
    }),
    whenEnabled: (follow: (typeof whenEnabled)[number]) => void whenEnabled.push(follow),
    whenRemoved: (follow: (typeof whenRemoved)[number]) => void whenRemoved.push(follow),
  }
}
