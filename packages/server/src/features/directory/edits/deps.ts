import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Keys } from '../../identity/keys/index.ts'
import type { Links } from '../../identity/links/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { Delays } from '../delays/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Records } from '../records/index.ts'
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
