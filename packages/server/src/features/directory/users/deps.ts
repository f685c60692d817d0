import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Links } from '../../identity/links/links.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Recovery } from '../../identity/recovery/recovery.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  recovery: Recovery
  links: Links
  organizations: Organizations
  removals: Removals
  suspensions: Suspensions
  audit: Audit
  notifications: Notifications
  /** The address for appeals. */
  appealsEmail: string
  now: () => Date
}
