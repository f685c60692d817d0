import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Login } from '../../identity/login/index.ts'
import type { Organizations } from '../../identity/organizations/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Suspensions } from '../suspensions/index.ts'
import type { Transfers } from '../transfers/index.ts'
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
