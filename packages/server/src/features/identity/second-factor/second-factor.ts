import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { SmsLimits } from '../../../platform/sms/phones.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Throttle } from '../throttle/throttle.ts'
import { confirmFactor } from './confirm-factor.ts'
import { disavowFactors } from './disavow-factor.ts'
import { enableFactor } from './enable-factor.ts'
import {
  disableByBackupCode,
  disableFactor,
  removeAllFactors,
  removeFactorOf,
  removeLostFactor,
} from './remove-factor.ts'
import { readPhone, sendCode } from './send-code.ts'
import { verifyCode, withVerifiedCode } from './verify-code.ts'

export { purgeFactors, rewrapSecondFactors } from './factor-secrets.ts'
export { GiveCodeBody } from './schema.ts'

/** Runs when a user enables a second factor. */
export type EnableListener = (trx: Transaction, caller: Principal) => Promise<void>

/** Runs when a user removes the last second factor. */
export type RemovalListener = (trx: Transaction, user_id: string) => Promise<unknown>

export type Options = {
  db: Database
  accounts: Accounts
  notifications: Notifications
  audit: Audit
  throttle: Throttle
  sealer: Sealer
  now: () => Date
  log: Log
  smsLimits: SmsLimits
}

export type Deps = Options & {
  smsKey: Buffer
  phoneKey: Buffer
  whenEnabled: EnableListener[]
  whenRemoved: RemovalListener[]
}

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
    }),
    withVerifiedCode: bind(withVerifiedCode),
    whenEnabled: (action: EnableListener) => void whenEnabled.push(action),
    whenRemoved: (action: RemovalListener) => void whenRemoved.push(action),
  }
}
