import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Keys } from '../../identity/keys/index.ts'
import type { SecondFactor } from '../../identity/second-factor/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Records } from '../records/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  keys: Keys
  records: Records
  secondFactor: SecondFactor
  notifications: Notifications
  audit: Audit
  now: () => Date
  webUrl: string
  /** Codes are stored as HMACs under this key. */
  codeKey: Buffer
}
