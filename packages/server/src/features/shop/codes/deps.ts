import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Keys } from '../../identity/keys/index.ts'
import type { Organizations } from '../../identity/organizations/index.ts'
import type { Throttle } from '../../identity/throttle/index.ts'
import type { Audit } from '../../operations/audit/index.ts'

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
