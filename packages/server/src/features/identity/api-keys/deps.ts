import type { Prepare } from '../../../platform/database/prepared.ts'
import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import type * as keys from './repository.ts'

export type Options = {
  db: Database
  prepare: Prepare
  accounts: Accounts
  secondFactor: SecondFactor
  audit: Audit
  now: () => Date
  /** Whether operators need a second factor. */
  operatorsNeedCodes: boolean
}

export type Deps = Options & {
  findHolder: ReturnType<typeof keys.findHolder>
}
