import type { Database } from '../../tables.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Keys } from '../keys/index.ts'
import type { Organizations } from '../organizations/index.ts'
import type { Throttle } from '../throttle/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  audit: Audit
  keys: Keys
  organizations: Organizations
  throttle: Throttle
  now: () => Date
  /** From then on the weak form of old clients counts for no code. */
  legacyUntil: Date
}
