import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Links } from '../links/links.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  links: Links
  notifications: Notifications
  audit: Audit
  now: () => Date
  authUrl: string
  webUrl: string
}
