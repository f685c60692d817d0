import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Login } from '../../identity/login/login.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'
import type { Transfers } from '../transfers/transfers.ts'
import type { Limits } from './limits.ts'

export type Options = {
  db: Database
  accounts: Accounts
  login: Login
  organizations: Organizations
  emojiIds: EmojiIds
  suspensions: Suspensions
  transfers: Transfers
  notifications: Notifications
  audit: Audit
  now: () => Date
}

export type Deps = Options & { limits: Limits }
