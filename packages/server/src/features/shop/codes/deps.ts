import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Throttle } from '../../identity/throttle/throttle.ts'
import type { Audit } from '../../operations/audit/audit.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  audit: Audit
  keys: Keys
  organizations: Organizations
  throttle: Throttle
  sealer: Sealer
  now: () => Date
  /** When the weak signatures of released clients are no longer accepted. */
  legacyUntil: Date
}
