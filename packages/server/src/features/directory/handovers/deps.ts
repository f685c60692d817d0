import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Keys } from '../../identity/keys/index.ts'
import type { SecondFactor } from '../../identity/two-factor/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type * as owning from '../emoji-ids/index.ts'
import type { Records } from '../records/index.ts'
import type { Transfers } from '../transfers/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: owning.EmojiIds
  keys: Keys
  records: Records
  secondFactor: SecondFactor
  transfers: Transfers
  notifications: Notifications
  now: () => Date
  webUrl: string
  /** Codes are kept as hashes under this key. */
  codeKey: Buffer
}
