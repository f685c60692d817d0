import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { SmsLimits } from '../../../platform/sms/phones.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Throttle } from '../throttle/throttle.ts'

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
