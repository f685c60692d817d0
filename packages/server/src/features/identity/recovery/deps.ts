import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Links } from '../links/index.ts'
import type { SecondFactor } from '../second-factor/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  links: Links
  secondFactor: SecondFactor
  notifications: Notifications
  audit: Audit
  now: () => Date
  authUrl: string
}
