import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Links } from '../../identity/links/links.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Delays } from '../delays/delays.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Records } from '../records/records.ts'
import type { Limits } from './limits.ts'

export type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  records: Records
  delays: Delays
  keys: Keys
  links: Links
  notifications: Notifications
  audit: Audit
  authUrl: string
  /** The address to which owners write against an operator's decision. */
  appealsEmail: string
}

export type Deps = Options & { limits: Limits }
