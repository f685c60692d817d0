import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Keys } from '../../identity/keys/index.ts'
import type { Links } from '../../identity/links/index.ts'
import type { Organizations } from '../../identity/organizations/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Records } from '../records/index.ts'
import type { Suspensions } from '../suspensions/index.ts'

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
