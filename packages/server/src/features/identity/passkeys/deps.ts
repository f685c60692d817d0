import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  secondFactor: SecondFactor
  audit: Audit
  now: () => Date
  /** Its origin and host are the relying party. */
  webUrl: string
}
