import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import { confirmFactor } from './confirm-factor.ts'
import type { Deps, EnableListener, Options, RemovalListener } from './deps.ts'
import { disavowFactors } from './disavow-factor.ts'
import { enableFactor } from './enable-factor.ts'
import { purgeFactors } from './factor-secrets.ts'
import {
  disableByBackupCode,
  disableFactor,
  removeAllFactors,
  removeFactorOf,
  removeLostFactor,
} from './remove-factor.ts'
import { readPhone, sendCode } from './send-code.ts'
import { verifyCode, withVerifiedCode } from './verify-code.ts'

export { rewrapSecondFactors } from './factor-secrets.ts'
export { GiveCodeBody } from './schema.ts'

export type SecondFactor = ReturnType<typeof createSecondFactor>

export function createSecondFactor(options: Options) {
  const { sealer, accounts } = options
  const smsKey = sealer.derive('text message codes')
  const phoneKey = sealer.derive('phone numbers of text messages')
  const whenEnabled: EnableListener[] = []
  const whenRemoved: RemovalListener[] = []
  const deps: Deps = { ...options, smsKey, phoneKey, whenEnabled, whenRemoved }
  const bind = bindTo(deps)
  accounts.whenDisowned(bind(removeAllFactors))
  accounts.beforeDeletion(bind(removeAllFactors))
  accounts.whenRevoked(bind(disavowFactors))

  return {
    ...bindUseCases(deps, {
      enableFactor,
      confirmFactor,
      verifyCode,
      disableFactor,
      disableByBackupCode,
      sendCode,
      removeLostFactor,
      readPhone,
      removeFactorOf,
      purgeFactors,
    }),
    withVerifiedCode: bind(withVerifiedCode),
    whenEnabled: (action: EnableListener) => void whenEnabled.push(action),
    whenRemoved: (action: RemovalListener) => void whenRemoved.push(action),
  }
}

export const secondFactorJobs = (secondFactor: SecondFactor): JobModule => ({
  tasks: { 'two_factor.purge': () => secondFactor.purgeFactors() },
  schedules: [{ task: 'two_factor.purge', cron: '47 * * * *' }],
})
