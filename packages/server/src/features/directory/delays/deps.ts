import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Links } from '../../identity/links/links.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Records } from '../records/records.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  organizations: Organizations
  emojiIds: EmojiIds
  records: Records
  suspensions: Suspensions
  keys: Keys
  links: Links
  notifications: Notifications
  audit: Audit
  now: () => Date
  authUrl: string
  appealsEmail: string
}
