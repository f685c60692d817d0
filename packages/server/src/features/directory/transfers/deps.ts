import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Links } from '../../identity/links/links.ts'
import type { Mailbox } from '../../identity/mailbox/mailbox.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { SecondFactor } from '../../identity/second-factor/second-factor.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Records } from '../records/records.ts'

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
