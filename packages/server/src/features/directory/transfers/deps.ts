import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Keys } from '../../identity/keys/index.ts'
import type { Links } from '../../identity/links/index.ts'
import type { Mailbox } from '../../identity/mailbox/index.ts'
import type { Removals } from '../../identity/removals/index.ts'
import type { SecondFactor } from '../../identity/second-factor/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Events } from '../../operations/events/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Records } from '../records/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  keys: Keys
  links: Links
  mailbox: Mailbox
  records: Records
  removals: Removals
  secondFactor: SecondFactor
  notifications: Notifications
  audit: Audit
  events: Events
  now: () => Date
  webUrl: string
  /** Codes are stored as HMACs under this key. */
  codeKey: Buffer
  /** Derives the ids of recipients that senders see. */
  recipientKey: Buffer
}
