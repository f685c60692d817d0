import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { SecondFactor } from '../second-factor/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  secondFactor: SecondFactor
  audit: Audit
  now: () => Date
  /** Its origin and host are the relying party. */
  webUrl: string
}
