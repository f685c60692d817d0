import type { Database } from '../../tables.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Notifications } from '../notifications/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  notifications: Notifications
  audit: Audit
  now: () => Date
}
