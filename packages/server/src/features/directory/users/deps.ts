import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Links } from '../../identity/links/index.ts'
import type { Organizations } from '../../identity/organizations/index.ts'
import type { Recovery } from '../../identity/recovery/index.ts'
import type { Removals } from '../../identity/removals/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Suspensions } from '../suspensions/index.ts'

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
