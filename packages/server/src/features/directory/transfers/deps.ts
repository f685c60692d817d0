import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  notifications: Notifications
  audit: Audit
  now: () => Date
}
